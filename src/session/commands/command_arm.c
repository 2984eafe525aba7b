/* Implements `arm`: adds, clones, renames and drops arms, and replaces their
 * kernels, while the run continues. */
#include "base/count.h"
#include "base/memory.h"
#include "base/page.h"
#include "chain/kernel_text.h"
#include "run/arms/arms.h"
#include "run/views/view.h"
#include "session/commands/command.h"
#include "session/state/reopen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARMS = 16, NAME = 44 };

static const char usage[] =
    "arm add KERNEL [param=value ...] [as NAME], arm clone ARM [as NAME], arm "
    "drop ARM, arm restore ARM, arm rename ARM NAME, arm kernel ARM KERNEL "
    "[param=value ...]";

static cs_status refuse(const char *what, cs_error *err)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_hint(err, "%s", usage);
    return CS_INPUT;
}

static const char *name_at(const cs_run *r, size_t arm)
{
    return cs_run_arm_name(r, arm);
}

/* Finds a free name: NAME, or NAME.2 and so on if NAME is taken. */
static void free_name(const cs_run *r, const char *wanted, char name[NAME])
{
    snprintf(name, NAME, "%.32s", wanted);
    for (int k = 2;; k++) {
        size_t i = 0;
        while (i < cs_run_arms(r) && strcmp(name_at(r, i), name) != 0)
            i++;
        if (i == cs_run_arms(r))
            return;
        snprintf(name, NAME, "%.32s.%d", wanted, k);
    }
}

/* Returns true if Lua reads the value without quotes: a number, a boolean, a
 * schedule or a list. */
static bool is_lua(const char *value)
{
    char *end;
    strtod(value, &end);
    return (end != value && *end == 0) || strcmp(value, "true") == 0 ||
           strcmp(value, "false") == 0 || *value == '{' || *value == '"' ||
           strncmp(value, "cs.", 3) == 0;
}

/* Writes the words "dmala step=0.2 balance=sqrt" in the syntax of a scenario's
 * kernel. */
static cs_status put_kernel(cs_page *p, char **word, size_t n, cs_error *err)
{
    if (strncmp(word[0], "cs.", 3) == 0) {
        for (size_t i = 0; i < n; i++)
            cs_page_put(p, "%s%s", i ? " " : "", word[i]);
        return CS_OK;
    }
    cs_page_put(p, "cs.kernel.%s {", word[0]);
    for (size_t i = 1; i < n; i++) {
        const char *equals = strchr(word[i], '=');
        if (!equals || equals == word[i])
            return refuse("a kernel parameter must have the form NAME=VALUE",
                          err);
        bool plain = is_lua(equals + 1);
        cs_page_put(p, "%s %.*s = %s%s%s", i > 1 ? "," : "",
                    (int)(equals - word[i]), word[i], plain ? "" : "\"",
                    equals + 1, plain ? "" : "\"");
    }
    cs_page_put(p, " }");
    return CS_OK;
}

/* Removes "as NAME" from the end of the words and returns NAME. Returns NULL if
 * the words do not end in "as NAME". */
static const char *cut_name(char **word, size_t *n)
{
    if (*n < 2 || strcmp(word[*n - 2], "as") != 0)
        return NULL;
    *n -= 2;
    return word[*n + 1];
}

/* Stores the command, given by `format`, with which `undo` reverses a
 * change. */
static void can_undo(cs_session *s, const char *name, const char *said,
                     const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void can_undo(cs_session *s, const char *name, const char *said,
                     const char *format, ...)
{
    char line[256], words[160];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    snprintf(words, sizeof words, "%.60s %.80s", name, said);
    cs_way_back_add(&s->back, line, words);
}

/* Makes the change and stores it as a setting, so that a restart makes the
 * change again. */
static cs_status change(cs_session *s, const char *text,
                        const cs_arm_origin *origin, cs_error *err)
{
    cs_status status = cs_sets_add_arm_change(&s->sets, text, err);
    if (status)
        return status;
    status = cs_session_reopen(s, origin, origin != NULL, NULL, err);
    if (status)
        cs_sets_drop_newest_arm_change(&s->sets);
    return status;
}

static cs_status has_room(const cs_session *s, cs_error *err)
{
    if (cs_run_arms(s->open.run) < ARMS)
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "the run has %d arms, the maximum", ARMS);
    cs_hint(err, "drop an arm first: arm drop NAME");
    return CS_UNSUPPORTED;
}

static cs_status add(cs_session *s, char **word, size_t n, cs_error *err)
{
    char name[NAME];
    cs_page text = {0}, kernel = {0};
    const char *wanted = cut_name(word, &n);
    if (n < 1)
        return refuse("arm add needs a kernel", err);
    cs_status status = has_room(s, err);
    if (status == CS_OK)
        status = put_kernel(&kernel, word, n, err);
    free_name(s->open.run, wanted ? wanted : word[0], name);
    cs_page_put(&text, "add %s %s", name, kernel.text);
    if (status == CS_OK && (text.full || kernel.full))
        status = cs_fail(err, CS_MEMORY, "out of memory for the arm");
    if (status == CS_OK)
        status = change(s, text.text, NULL, err);
    if (status == CS_OK) {
        can_undo(s, name, "was removed", "arm drop %s", name);
        cs_session_say(s,
                       "%s was added; it first makes the %s steps that the "
                       "other arms have made",
                       name, cs_count((double)cs_run_steps(s->open.run)).text);
    }
    cs_free(text.text);
    cs_free(kernel.text);
    return status;
}

/* Returns true if a setting "ARM.param=value" belongs to that arm. */
static bool is_set_of(const char *set, const char *arm)
{
    size_t n = strlen(arm);
    const char *equals = strchr(set, '=');
    return strncmp(set, arm, n) == 0 && set[n] == '.' &&
           !memchr(set + n + 1, '.', (size_t)(equals - set) - n - 1);
}

/* Copies the settings of the original arm to a cloned arm, and also the laws
 * that the original arm breaks according to :check. */
static cs_status copy_sets(cs_session *s, const char *from, const char *to,
                           cs_error *err)
{
    size_t n = strlen(from), sets = s->sets.n;
    if (*cs_checked_mark(&s->checked, from))
        cs_session_mark(s, to, cs_checked_mark(&s->checked, from));
    for (size_t i = 0; i < sets; i++) {
        char param[256];
        const char *set = s->sets.set[i], *equals = strchr(set, '=');
        if (!is_set_of(set, from))
            continue;
        snprintf(param, sizeof param, "%s%.*s", to,
                 (int)(equals - set - (long)n), set + n);
        cs_status status = cs_sets_put(&s->sets, param, equals + 1, err);
        if (status)
            return status;
    }
    return CS_OK;
}

static cs_status copy(cs_session *s, char **word, size_t n, cs_error *err)
{
    size_t arm;
    char name[NAME], text[128], from[NAME];
    const char *wanted = cut_name(word, &n);
    if (n != 1)
        return refuse("arm clone needs an arm", err);
    cs_status status = has_room(s, err);
    if (status == CS_OK)
        status = cs_command_arm(s, word[0], &arm, err);
    if (status)
        return status;
    snprintf(from, sizeof from, "%.40s", name_at(s->open.run, arm));
    free_name(s->open.run, wanted ? wanted : from, name);
    snprintf(text, sizeof text, "clone %s %s", name, from);
    cs_arm_origin origin = {name, from};
    status = change(s, text, &origin, err);
    if (status == CS_OK)
        status = copy_sets(s, from, name, err);
    if (status)
        return status;
    can_undo(s, name, "was removed", "arm drop %s", name);
    cs_session_say(s, "%s is a copy of %s", name, from);
    return CS_OK;
}

static void drop_sets(cs_session *s, const char *arm)
{
    size_t kept = 0;
    cs_session_mark(s, arm, NULL);
    for (size_t i = 0; i < s->sets.n; i++) {
        if (is_set_of(s->sets.set[i], arm))
            cs_free(s->sets.set[i]);
        else
            s->sets.set[kept++] = s->sets.set[i];
    }
    s->sets.n = kept;
}

/* Writes the command that restores a dropped arm with the arm's settings. */
static void put_restore(const cs_session *s, const char *arm, cs_page *p)
{
    char word[512];
    cs_page_put(p, "arm restore %s", arm);
    for (size_t i = 0; i < s->sets.n; i++)
        if (is_set_of(s->sets.set[i], arm) &&
            cs_words_quote(s->sets.set[i], word, sizeof word))
            cs_page_put(p, " %s", word);
}

static cs_status drop(cs_session *s, char **word, size_t n, cs_error *err)
{
    size_t arm;
    char text[128], name[NAME], said[128];
    cs_page back = {0};
    if (n != 1)
        return refuse("arm drop needs an arm", err);
    cs_status status = cs_command_arm(s, word[0], &arm, err);
    if (status)
        return status;
    snprintf(name, sizeof name, "%.40s", name_at(s->open.run, arm));
    snprintf(text, sizeof text, "drop %s", name);
    snprintf(said, sizeof said, "%s was restored and makes its steps again",
             name);
    put_restore(s, name, &back);
    drop_sets(s, name);
    status = change(s, text, NULL, err);
    if (status == CS_OK) {
        cs_way_back_add(&s->back, back.full ? NULL : back.text, said);
        cs_session_say(s, "%s was dropped", name);
    }
    cs_free(back.text);
    return status;
}

/* Implements restore ARM [ARM.param=value ...]: restores a dropped arm; the
 * settings apply from the arm's first step. */
static cs_status restore(cs_session *s, char **word, size_t n, cs_error *err)
{
    char text[128];
    if (n < 1)
        return refuse("arm restore needs an arm that was dropped", err);
    cs_status status = has_room(s, err);
    if (status)
        return status;
    snprintf(text, sizeof text, "drop %.40s", word[0]);
    if (!cs_sets_drop_arm_change(&s->sets, text))
        return cs_fail(err, CS_UNKNOWN, "there is no dropped arm '%.40s'",
                       word[0]);
    status = cs_command_remember(s, word + 1, n - 1, err);
    if (status == CS_OK)
        status = cs_session_reopen(s, NULL, 0, NULL, err);
    if (status) {
        drop_sets(s, word[0]);
        cs_sets_add_arm_change(&s->sets, text, NULL);
        return status;
    }
    can_undo(s, word[0], "was removed", "arm drop %.40s", word[0]);
    cs_session_say(s,
                   "%s was restored; it first makes the %s steps that the "
                   "other arms have made",
                   word[0], cs_count((double)cs_run_steps(s->open.run)).text);
    return CS_OK;
}

static cs_status rename_arm(cs_session *s, char **word, size_t n, cs_error *err)
{
    size_t arm;
    char text[128], name[NAME];
    if (n != 2)
        return refuse("arm rename needs an arm and a name", err);
    cs_status status = cs_command_arm(s, word[0], &arm, err);
    if (status)
        return status;
    snprintf(name, sizeof name, "%.40s", name_at(s->open.run, arm));
    snprintf(text, sizeof text, "rename %s %.60s", name, word[1]);
    cs_arm_origin origin = {word[1], name};
    status = copy_sets(s, name, word[1], err);
    if (status == CS_OK)
        drop_sets(s, name);
    if (status == CS_OK)
        status = change(s, text, &origin, err);
    if (status)
        return status;
    snprintf(text, sizeof text, "was renamed to %s", name);
    can_undo(s, word[1], text, "arm rename %.60s %s", word[1], name);
    cs_session_say(s, "%s was renamed to %s", name, word[1]);
    return CS_OK;
}

/* Writes the `arm use` command that restores the arm's current kernel. If the
 * kernel uses a function of the script, writes nothing. */
static void put_use(const cs_arm_view *v, cs_page *p)
{
    char quoted[4096];
    cs_page text = {0};
    if (!cs_kernel_has_text(v->kernel, v->plan))
        return;
    cs_kernel_put(&text, v->kernel, v->plan);
    if (!text.full && cs_words_quote(text.text, quoted, sizeof quoted))
        cs_page_put(p, "arm kernel %s %s", v->name, quoted);
    cs_free(text.text);
}

static cs_status use_kernel(cs_session *s, size_t arm, char **word, size_t n,
                            cs_error *err)
{
    cs_page p = {0};
    cs_page_put(&p, "run:arm(%zu):use(", arm + 1);
    cs_status status = put_kernel(&p, word, n, err);
    cs_page_put(&p, ")");
    if (status == CS_OK && p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the kernel");
    if (status == CS_OK)
        status = cs_command_eval(s, p.text, err);
    cs_free(p.text);
    return status;
}

/* Replaces a kernel in the same way as a script does: the change is stored in
 * the journal, and is reversed if the run goes back to an earlier step. */
static cs_status use(cs_session *s, char **word, size_t n, cs_error *err)
{
    size_t arm;
    char said[160];
    cs_page back = {0};
    if (n < 2)
        return refuse("arm kernel needs an arm and a kernel", err);
    cs_status status = cs_command_arm(s, word[0], &arm, err);
    if (status)
        return status;
    cs_arm_view was = cs_run_arm(s->open.run, arm);
    snprintf(said, sizeof said, "the kernel of %.60s is %.60s", was.name,
             was.kernel->type->name);
    put_use(&was, &back);
    status = use_kernel(s, arm, word + 1, n - 1, err);
    if (status == CS_OK)
        cs_way_back_add(&s->back, back.full ? NULL : back.text, said);
    if (status == CS_OK)
        cs_session_say(s, "the kernel of %s is %s from step %llu on",
                       name_at(s->open.run, arm),
                       cs_run_arm(s->open.run, arm).kernel->type->name,
                       (unsigned long long)cs_run_steps(s->open.run));
    cs_free(back.text);
    return status;
}

static const struct {
    const char *name;
    cs_command_obey *obey; /* word[0] is the word after `name` */
} kinds[] = {{"add", add},         {"clone", copy},        {"drop", drop},
             {"restore", restore}, {"rename", rename_arm}, {"kernel", use}};

cs_status cs_command_arms(cs_session *s, char **word, size_t n, cs_error *err)
{
    cs_status status = cs_record_none(s->record, err);
    if (status)
        return status;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word[1], kinds[i].name) == 0)
            return kinds[i].obey(s, word + 2, n - 1, err);
    return refuse("unknown change of an arm", err);
}
