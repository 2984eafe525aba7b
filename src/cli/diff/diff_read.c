#include "cli/diff/diff_read.h"

#include "base/memory.h"
#include "data/cast.h"
#include "files/file.h"
#include "io/manifest.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static const char title[] = "# chainscope journal ";

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && strcmp(path + n - m, end) == 0;
}

/* Reads one line of a journal. A comment contains a setting of the run; any
 * other line contains a change made during the run. */
static void take_line(const char *line, size_t n, cs_saved_summary *s)
{
    static const struct {
        const char *head, *name;
    } settings[] = {{"# scenario ", "scenario = "},
                    {"# digest ", "its text = "},
                    {"0 run warmup ", "warmup = "},
                    {"0 run most_warmup ", "most_warmup = "}};
    static const char set[] = "# set ";
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t m = strlen(settings[i].head);
        if (strncmp(line, settings[i].head, m) == 0)
            cs_page_put(&s->provenance, "%s%.*s\n", settings[i].name,
                        (int)(n - m), line + m);
    }
    const char *equals = memchr(line, '=', n);
    if (strncmp(line, set, strlen(set)) == 0 && equals)
        cs_page_put(&s->provenance, "%.*s = %.*s\n",
                    (int)(equals - line - (long)strlen(set)),
                    line + strlen(set), (int)(line + n - equals - 1),
                    equals + 1);
    const char *rest = line + strspn(line, "0123456789");
    bool run = strncmp(rest, " run ", 5) == 0;
    bool target = strncmp(rest, " run target.", 12) == 0;
    if (rest == line || *rest != ' ' || strncmp(rest, " kept ", 6) == 0)
        return;
    if (strncmp(rest, " end", 4) == 0)
        cs_page_put(&s->provenance, "steps = %.*s\n", (int)(rest - line), line);
    else if (!run || target)
        cs_page_put(&s->changes, "%.*s\n", (int)n, line);
}

static cs_status take_journal(const char *text, cs_saved_summary *s,
                              cs_error *err)
{
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\r\n");
        take_line(at, n, s);
        at += n;
        at += strspn(at, "\r\n");
    }
    return s->provenance.full || s->changes.full
               ? cs_fail(err, CS_MEMORY, "out of memory for a journal")
               : CS_OK;
}

static cs_status take_cast(char *text, size_t size, const char *path,
                           cs_saved_summary *s, cs_error *err)
{
    cs_cast c;
    char *journal = NULL;
    cs_status status = cs_cast_read(&c, text, size, path, err);
    if (status)
        return status;
    status = cs_cast_journal(&c, NULL, &journal, err);
    if (status == CS_OK)
        status = take_journal(journal, s, err);
    cs_free(journal);
    cs_cast_fini(&c);
    return status;
}

static cs_status refuse(const char *path, cs_error *err)
{
    bool checkpoint = ends_with(path, "checkpoint");
    cs_fail(err, CS_INPUT,
            checkpoint
                ? "%s is a checkpoint, which only its scenario can read"
                : "%s is not a folder of a run, a recording or a journal",
            path);
    cs_hint(err, checkpoint
                     ? "in chainscope repl SCENARIO, :load it, then print its "
                       ":journal, or write a folder with :out"
                     : "write a folder with chainscope run --out, or a "
                       "recording with :record");
    return CS_INPUT;
}

cs_status cs_diff_read(const char *path, cs_saved_summary *s, bool *journal,
                       cs_error *err)
{
    struct stat st;
    unsigned char *text = NULL;
    size_t size;
    *s = (cs_saved_summary){.seed = NAN};
    *journal = false;
    cs_status status = cs_manifest_trust(path, err);
    if (status)
        return status;
    if (stat(path, &st) != 0 || S_ISDIR(st.st_mode))
        return cs_saved_summary_read(path, s, err);
    *journal = true;
    status = cs_file_read(path, CS_CAST_MOST, &text, &size, err);
    if (status)
        return status;
    if (ends_with(path, ".cast"))
        status = take_cast((char *)text, size, path, s, err);
    else if (strncmp((char *)text, title, strlen(title)) == 0)
        status = take_journal((char *)text, s, err);
    else
        status = refuse(path, err);
    cs_free(text);
    return status;
}
