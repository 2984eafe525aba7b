/* The run of a recording (data/cast.h), made again: its scenario is opened as
 * it was, and taken through the journal. */
#include "data/cast.h"

#include "base/count.h"
#include "base/hash.h"
#include "base/home.h"
#include "base/memory.h"
#include "files/file.h"
#include "session/command.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cs_command_is_cast(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".cast") == 0;
}

static cs_status read_journal(const char *path, const uint64_t *step,
                              char **journal, cs_error *err)
{
    cs_cast c;
    size_t size;
    unsigned char *text = NULL;
    cs_status status = cs_file_read(path, CS_CAST_MOST, &text, &size, err);
    if (status)
        return status;
    status = cs_cast_read(&c, (char *)text, size, path, err);
    if (status == CS_OK) {
        status = cs_cast_journal(&c, step, journal, err);
        cs_cast_fini(&c);
    }
    cs_free(text);
    return status;
}

/* The rest of the first line that begins with `head`, at *at or behind it, into
 * out[size]; false: there is none, or no room. */
static bool next_line(const char **at, const char *head, char *out, size_t size)
{
    size_t n = strlen(head);
    for (const char *line = *at; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, head, n) != 0)
            continue;
        size_t length = strcspn(line + n, "\r\n");
        *at = line + n + length;
        snprintf(out, size, "%.*s", (int)length, line + n);
        return length < size;
    }
    return false;
}

static bool is_there(char *out, size_t size, const char *folder, int n,
                     const char *name)
{
    int used = snprintf(out, size, "%.*s%s%s", n, folder, n ? "/" : "", name);
    return used > 0 && (size_t)used < size && access(out, R_OK) == 0;
}

/* Where the scenario was, beside the recording, or among the program's own. */
static cs_status find_scenario(const char *cast, const char *journal, char *out,
                               size_t size, cs_error *err)
{
    char was[512], own[600];
    const char *slash = strrchr(cast, '/');
    if (!next_line(&journal, "# scenario ", was, sizeof was)) {
        cs_fail(err, CS_INPUT, "the recording does not say of which run it is");
        return CS_INPUT;
    }
    const char *name = strrchr(was, '/');
    const char *home = strstr(was, "/scenarios/");
    name = name ? name + 1 : was;
    if (is_there(out, size, "", 0, was) ||
        is_there(out, size, cast, slash ? (int)(slash - cast) : 0, name))
        return CS_OK;
    if (home && cs_home(own, sizeof own, home + 1) &&
        is_there(out, size, "", 0, own))
        return CS_OK;
    cs_fail(err, CS_INPUT, "the scenario of the recording is not there: %s",
            was);
    cs_hint(err, "put it beside the recording; chainscope replay shows that "
                 "without it");
    return CS_INPUT;
}

/* What it was opened with, then what is to be set beside that. */
static cs_status remember(cs_session *s, const char *journal, char **word,
                          size_t n, cs_error *err)
{
    char text[512], *equals;
    cs_status status = CS_OK;
    const char *at = journal;
    cs_session_forget(s);
    while (status == CS_OK && next_line(&at, "# set ", text, sizeof text)) {
        equals = strchr(text, '=');
        if (!equals)
            return cs_fail(err, CS_INPUT, "'# set %.60s' sets nothing", text);
        *equals = 0;
        status = cs_session_remember(s, text, equals + 1, err);
    }
    at = journal;
    if (status == CS_OK && next_line(&at, "0 run warmup ", text, sizeof text))
        status = cs_session_remember(s, "default_warmup", text, err);
    return status ? status : cs_command_remember(s, word, n, err);
}

static void say_other_text(cs_session *s, const char *journal)
{
    char was[32], now[32] = "";
    if (s->scenario)
        snprintf(now, sizeof now, "%016llx",
                 (unsigned long long)cs_digest(CS_DIGEST, s->scenario,
                                               strlen(s->scenario)));
    if (next_line(&journal, "# digest ", was, sizeof was) &&
        strcmp(was, now) != 0)
        cs_session_say(s, "the scenario is not as it was when it was recorded: "
                          "the run is another");
}

cs_status cs_command_open_cast(cs_session *s, const char *path,
                               const uint64_t *step, char **word, size_t n,
                               cs_error *err)
{
    char *journal, file[1024];
    cs_status status = read_journal(path, step, &journal, err);
    if (status)
        return status;
    status = find_scenario(path, journal, file, sizeof file, err);
    if (status == CS_OK)
        status = remember(s, journal, word, n, err);
    if (status == CS_OK)
        status = cs_session_open(s, file, err);
    if (status == CS_OK) {
        say_other_text(s, journal);
        status = cs_session_replay(s, journal, err);
        if (status)
            cs_where(err, path, 0);
        cs_session_placed(s, cs_run_steps(s->open.run), false);
    }
    cs_free(journal);
    if (status)
        return status;
    cs_session_say(s, "the run of the recording, at step %s",
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s", s->message);
    return CS_OK;
}
