/* Reproduces the run of a recording (data/cast.h): opens its scenario with the
 * recorded text and replays the journal. All commands that reproduce a
 * recording's run use this file. If the run differs from the recorded one, the
 * command fails. */
#include "data/cast.h"
#include "run/arms/arms.h"

#include "base/count.h"
#include "base/hash.h"
#include "base/install_paths.h"
#include "base/memory.h"
#include "files/file.h"
#include "session/commands/command.h"
#include "session/commands/lesson_stages.h"
#include "session/commands/lesson_steps.h"
#include "session/state/opened.h"
#include "session/state/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 1024 };

bool cs_command_is_cast(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".cast") == 0;
}

/* ---- contents ------------------------------------------------------------ */

typedef struct recorded {
    const char *path;  /* path of the recording */
    char *journal;     /* the recorded journal [own] */
    cs_inputs *inputs; /* the recorded inputs of the scenario [own] */
    char was[512];     /* absolute path of the scenario when it was recorded */
    char cut[128];     /* reason why the recording is incomplete; "": it is
                        * complete */
} recorded;

static void forget(recorded *r)
{
    cs_free(r->journal);
    cs_inputs_drop(r->inputs);
}

/* Finds the first line at or after *at that begins with `head`, and copies the
 * rest of the line to out[size]. Returns false if no line matches or the rest
 * does not fit. */
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

/* Checks that the recording contains the text of the scenario to which its
 * journal belongs. */
static cs_status check_digest(const recorded *r, cs_error *err)
{
    char was[32] = "", is[32];
    size_t size = 0;
    const char *at = r->journal;
    const char *text = cs_inputs_scenario(r->inputs, &size);
    snprintf(is, sizeof is, "%016llx",
             (unsigned long long)cs_digest(CS_DIGEST, text, size));
    if (next_line(&at, "# digest ", was, sizeof was) && strcmp(was, is) == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "the journal of the recording does not match the scenario in the "
            "recording");
    cs_hint(err,
            "record the run again; chainscope replay still shows the pictures");
    return CS_INPUT;
}

static cs_status take(recorded *r, const cs_cast *c, const uint64_t *step,
                      cs_error *err)
{
    char *text = NULL;
    cs_status status = cs_cast_journal(c, step, &r->journal, err);
    if (status == CS_OK)
        status = cs_cast_inputs(c, &text, err);
    if (status == CS_OK)
        status = cs_inputs_read(&r->inputs, text, err);
    cs_free(text);
    if (status == CS_OK)
        status = check_digest(r, err);
    const char *at = r->journal;
    if (status == CS_OK &&
        !next_line(&at, "# scenario ", r->was, sizeof r->was))
        status =
            cs_fail(err, CS_INPUT, "the recording does not name its scenario");
    if (!c->ended)
        snprintf(r->cut, sizeof r->cut,
                 "the recording ends early, after line %d: the run is "
                 "reproduced up to that line",
                 c->lines);
    return status;
}

/* Where a recorded run is opened: at its end, at a step, or at the frame of a
 * time in seconds. */
typedef struct moment {
    enum { AT_END, AT_STEP, AT_TIME } kind;
    uint64_t step;
    double seconds;
} moment;

static cs_status read_recording(const char *path, const moment *at, recorded *r,
                                cs_error *err)
{
    cs_cast c;
    size_t size;
    unsigned char *text = NULL;
    *r = (recorded){.path = path};
    cs_status status = cs_file_read(path, CS_CAST_MOST, &text, &size, err);
    if (status)
        return status;
    status = cs_cast_read(&c, (char *)text, size, path, err);
    if (status == CS_OK) {
        if (at->kind == AT_TIME)
            cs_cast_cut(&c, at->seconds);
        status = take(r, &c, at->kind == AT_STEP ? &at->step : NULL, err);
        cs_cast_fini(&c);
        if (status)
            cs_where(err, path, 0);
    }
    cs_free(text);
    if (status)
        forget(r);
    return status;
}

/* ---- location of the scenario -------------------------------------------- */

static bool join(char out[PATH], const char *folder, int n, const char *name)
{
    int used = snprintf(out, PATH, "%.*s%s%s", n, folder, n ? "/" : "", name);
    return used > 0 && used < PATH;
}

/* Writes candidate i for the path of the scenario. The candidates are its
 * original path, a file next to the recording, and a scenario installed with
 * the program. Returns false if this candidate does not exist. */
static bool place(const recorded *r, size_t i, char out[PATH])
{
    const char *slash = strrchr(r->path, '/'), *name = strrchr(r->was, '/');
    const char *home = strstr(r->was, "/scenarios/");
    name = name ? name + 1 : r->was;
    if (i == 0)
        return join(out, "", 0, r->was);
    if (i == 1)
        return join(out, r->path, slash ? (int)(slash - r->path) : 0, name);
    return i == 2 && home && cs_install_path(out, PATH, home + 1);
}

static bool has_folder(const char *path)
{
    char folder[PATH];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    return access(folder, X_OK) == 0;
}

/* Finds the path of the scenario. Prefers a candidate with the recorded text,
 * then a candidate that exists, and then a candidate in an existing folder. The
 * folder matters because the data files of the scenario are searched for in
 * it. */
static void find_scenario(const recorded *r, char out[PATH])
{
    enum { PLACES = 3 };
    char at[PATH];
    int best = -1;
    for (size_t i = PLACES; i-- > 0;) {
        int good = !place(r, i, at)                  ? -1
                   : cs_inputs_are_at(r->inputs, at) ? 3
                   : access(at, R_OK) == 0           ? 2
                                                     : has_folder(at);
        if (good < best)
            continue;
        best = good;
        memcpy(out, at, PATH);
    }
}

/* Checks that FILE, which is given together with the recording, is the
 * recording's scenario. */
static cs_status check_file(const recorded *r, const char *file, cs_error *err)
{
    if (cs_inputs_are_at(r->inputs, file))
        return CS_OK;
    bool there = access(file, R_OK) == 0;
    cs_fail(err, CS_INPUT,
            there
                ? "%.200s is not the scenario of the recording, %s"
                : "%.200s does not exist; the scenario of the recording is %s",
            file, r->was);
    cs_hint(
        err,
        "give only the recording, in place of FILE: it contains its scenario");
    cs_where(err, r->path, 0);
    return CS_INPUT;
}

cs_status cs_command_is_of(const cs_session *s, const char *journal,
                           cs_error *err)
{
    char was[32], now[32];
    if (!s->open.scenario || !next_line(&journal, "# digest ", was, sizeof was))
        return CS_OK;
    snprintf(now, sizeof now, "%016llx",
             (unsigned long long)cs_digest(CS_DIGEST, s->open.scenario,
                                           strlen(s->open.scenario)));
    if (strcmp(was, now) == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "the journal belongs to another scenario: its text differs from "
            "the text of the open scenario");
    cs_hint(err, "open the original scenario, or remove the line '# digest' to "
                 "apply its changes to the open scenario");
    return CS_INPUT;
}

/* ---- the run ------------------------------------------------------------- */

/* Options of the command that are not settings: "of=FILE", "at=STEP" or
 * "at=12.5s". */
typedef struct preferences {
    const char *of;
    moment at;
    bool sets; /* true if the command has settings that make the run differ from
                * the recorded run */
} preferences;

static cs_status read_moment(const char *word, moment *at, cs_error *err)
{
    char *end;
    at->kind = AT_TIME;
    at->seconds = strtod(word, &end);
    if (end != word && strcmp(end, "s") == 0 && at->seconds >= 0)
        return CS_OK;
    at->kind = AT_STEP;
    return cs_command_count(word, &at->step, err);
}

/* Removes the options from word[*n] and stores them in *w. */
static cs_status take_preferences(preferences *w, char **word, size_t *n,
                                  cs_error *err)
{
    static const char *const harmless[] = {
        "default_warmup=", "read=", "workers=", "steps="};
    size_t kept = 0;
    cs_status status = CS_OK;
    for (size_t i = 0; i < *n && status == CS_OK; i++) {
        bool of = strncmp(word[i], "of=", 3) == 0;
        bool at = strncmp(word[i], "at=", 3) == 0;
        bool other = !of && !at;
        if (of)
            w->of = word[i] + 3;
        if (at)
            status = read_moment(word[i] + 3, &w->at, err);
        if (other)
            word[kept++] = word[i];
        for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
            other &= strncmp(word[i], harmless[k], strlen(harmless[k])) != 0;
        w->sets |= other;
    }
    *n = kept;
    return status;
}

/* Stores the settings with which the recorded run was opened, and then the
 * additional settings. If no setting gives the length of the warm-up, the
 * recorded length is used. */
static cs_status remember(cs_session *s, const char *journal, char **word,
                          size_t n, cs_error *err)
{
    char text[512] = "0", *equals;
    cs_status status = CS_OK;
    const char *at = journal;
    cs_sets_clear(&s->sets);
    while (status == CS_OK && next_line(&at, "# set ", text, sizeof text)) {
        equals = strchr(text, '=');
        if (!equals)
            return cs_fail(err, CS_INPUT, "'# set %.60s' has no value", text);
        *equals = 0;
        status = cs_sets_put(&s->sets, text, equals + 1, err);
    }
    if (status == CS_OK)
        status = cs_command_remember(s, word, n, err);
    char most[32], both[128];
    at = journal;
    if (!next_line(&at, "0 run warmup ", text, sizeof text))
        snprintf(text, sizeof text, "0");
    at = journal;
    if (!next_line(&at, "0 run most_warmup ", most, sizeof most))
        snprintf(most, sizeof most, "0");
    snprintf(both, sizeof both, "%.60s,%s", text, most);
    return status ? status : cs_sets_put(&s->sets, "default_warmup", both, err);
}

/* Checks that the opened run has the same provenance as the recorded run. */
static cs_status check_made(const cs_session *s, const recorded *r,
                            cs_error *err)
{
    char was[32], is[32];
    const char *at = r->journal;
    snprintf(is, sizeof is, "%016llx",
             (unsigned long long)cs_opened_made(&s->open));
    if (!next_line(&at, "# made ", was, sizeof was) || strcmp(was, is) == 0)
        return CS_OK;
    cs_fail(err, CS_INPUT,
            "the scenario no longer produces the recorded run: it reads inputs "
            "that were not recorded");
    cs_hint(err,
            "record the run again; chainscope replay still shows the pictures");
    cs_where(err, r->path, 0);
    return CS_INPUT;
}

static cs_status make(cs_session *s, const recorded *r, const preferences *w,
                      const char *file, cs_error *err)
{
    cs_status status = cs_session_open(s, file, r->inputs, err);
    if (status)
        return status;
    cs_course_start(s, false);
    if (!w->sets)
        status = check_made(s, r, err);
    if (status == CS_OK)
        status = cs_stages_replay(s, r->journal, err);
    if (status == CS_OK)
        status = cs_session_replay(s, r->journal, err);
    if (status == CS_OK)
        cs_course_replay(s, r->journal);
    if (status)
        cs_where(err, r->path, 0);
    if (status && status != CS_STOPPED)
        cs_session_drop(s); /* the run differs from the recorded one */
    else
        cs_session_placed(s, cs_run_steps(s->open.run), false);
    return status;
}

/* Writes the result as the answer. The lines after the first are notes, which a
 * front without a screen prints to stderr. */
static void answer(cs_session *s, const recorded *r, const char *changed)
{
    char note[PATH + 64] = "", ahead[200];
    cs_command_ahead(s, r->journal, ahead, sizeof ahead);
    if (*changed)
        snprintf(note, sizeof note,
                 "%s: the run is reproduced from the text in the recording",
                 changed);
    if (*r->cut)
        cs_session_say(s, "%s", r->cut);
    if (*note)
        cs_session_say(s, "%s", note);
    cs_session_say(s, "the run of the recording, at step %s",
                   cs_count((double)cs_run_steps(s->open.run)).text);
    cs_command_answer(s, "%s%s%s%s%s%s%s", s->reported.newest,
                      *note ? "\n" : "", note, *r->cut ? "\n" : "", r->cut,
                      *ahead ? "\n" : "", ahead);
}

static cs_status open_recorded(cs_session *s, recorded *r, const preferences *w,
                               char **word, size_t n, cs_error *err)
{
    char file[PATH] = "", changed[PATH] = "";
    cs_status status = w->of ? check_file(r, w->of, err) : CS_OK;
    if (status)
        return status;
    if (w->of)
        snprintf(file, sizeof file, "%s", w->of);
    else
        find_scenario(r, file);
    cs_inputs_match(r->inputs, file, changed, sizeof changed);
    status = remember(s, r->journal, word, n, err);
    if (status == CS_OK)
        status = make(s, r, w, file, err);
    if (status == CS_OK)
        answer(s, r, changed);
    return status;
}

cs_status cs_command_recall_sets(cs_session *s, const char *journal,
                                 cs_error *err)
{
    return remember(s, journal, NULL, 0, err);
}

cs_status cs_command_open_cast(cs_session *s, const char *path, char **word,
                               size_t n, cs_error *err)
{
    recorded r;
    preferences w = {0};
    cs_status status = take_preferences(&w, word, &n, err);
    if (status == CS_OK)
        status = read_recording(path, &w.at, &r, err);
    if (status)
        return status;
    status = open_recorded(s, &r, &w, word, n, err);
    forget(&r);
    return status;
}

cs_status cs_command_replay_cast(cs_session *s, const char *path,
                                 const uint64_t *step, cs_error *err)
{
    recorded r;
    const preferences w = {0};
    const moment at = {step ? AT_STEP : AT_END, step ? *step : 0, 0};
    cs_status status = read_recording(path, &at, &r, err);
    if (status)
        return status;
    const char *text = s->open.scenario ? s->open.scenario : "";
    if (s->open.run && !cs_inputs_are_of(r.inputs, text, strlen(text))) {
        cs_fail(err, CS_INPUT, "%.200s is not the scenario of the recording",
                s->open.file);
        cs_hint(err, "open the run of the recording: open FILE.cast");
        cs_where(err, path, 0);
        status = CS_INPUT;
    }
    if (status == CS_OK)
        status = open_recorded(s, &r, &w, NULL, 0, err);
    forget(&r);
    return status;
}
