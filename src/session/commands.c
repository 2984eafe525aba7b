/* The commands of the session: what the screen's keys, the console's lines
 * and the sub-commands send. */
#include "base/memory.h"
#include "base/text.h"
#include "io/checkpoint.h"
#include "session/state.h"
#include "session/summary.h"
#include "session/words.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAW = 1, NEEDS_RUN = 2 };

typedef struct command {
    const char *name, *args, *help;
    unsigned flags; /* RAW: word[1] is the rest of the line as it is */
    size_t least;   /* words after the name */
    cs_status (*obey)(cs_session *s, char **word, size_t n, cs_error *err);
} command;

static void answer(cs_session *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void answer(cs_session *s, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cs_message_text(&s->out, text);
}

/* ---- reading arguments ------------------------------------------------- */

static cs_status number(const char *word, double *out, cs_error *err)
{
    char *end;
    *out = strtod(word, &end);
    if (end == word || *end || !isfinite(*out))
        return cs_fail(err, CS_INPUT, "'%s' is not a number", word);
    return CS_OK;
}

/* A count of steps: "5000", "1e6". */
static cs_status count(const char *word, uint64_t *out, cs_error *err)
{
    double d;
    cs_status status = number(word, &d, err);
    if (status)
        return status;
    if (d < 0 || d > 9e15 || d != floor(d))
        return cs_fail(err, CS_RANGE, "'%s' is not a number of steps", word);
    *out = (uint64_t)d;
    return CS_OK;
}

static cs_status find_arm(cs_session *s, const char *word, size_t *out,
                          cs_error *err)
{
    size_t n = cs_run_arms(s->open.run);
    const char *names[65] = {NULL};
    for (size_t i = 0; i < n; i++) {
        const char *name = cs_run_arm(s->open.run, i).name;
        if (strcmp(name, word) == 0) {
            *out = i;
            return CS_OK;
        }
        if (i < 64)
            names[i] = name;
    }
    char *end;
    unsigned long k = strtoul(word, &end, 10);
    if (end != word && !*end && k >= 1 && k <= n) {
        *out = k - 1;
        return CS_OK;
    }
    cs_fail(err, CS_UNKNOWN, "there is no arm '%s'", word);
    const char *near = cs_text_nearest(word, names);
    cs_mend(err, "%s%s%s1 to %zu", near ? "did you mean '" : "use a number ",
            near ? near : "", near ? "', or a number " : "", n);
    return CS_UNKNOWN;
}

static cs_status find_value(const cs_param *row, const char *word, double *out,
                            cs_error *err)
{
    static const char *const truth[] = {"false", "true", NULL};
    const char *const *choices =
        row->kind == CS_PARAM_BOOL ? truth : row->choices;
    for (size_t i = 0; choices && choices[i]; i++)
        if (strcmp(choices[i], word) == 0) {
            *out = (double)i;
            return CS_OK;
        }
    return number(word, out, err);
}

/* ---- opening ----------------------------------------------------------- */

static cs_status remember_words(cs_session *s, char **word, size_t n,
                                cs_error *err)
{
    cs_session_forget(s);
    for (size_t i = 0; i < n; i++) {
        char *equals = strchr(word[i], '=');
        if (!equals) {
            cs_fail(err, CS_INPUT, "'%s' sets nothing", word[i]);
            cs_mend(err, "write arm.parameter=value");
            return CS_INPUT;
        }
        *equals = 0;
        cs_status status = cs_session_remember(s, word[i], equals + 1, err);
        *equals = '=';
        if (status)
            return status;
    }
    return CS_OK;
}

static cs_status open_file(cs_session *s, char **word, size_t n, cs_error *err)
{
    cs_status status = remember_words(s, word + 2, n - 1, err);
    if (status == CS_OK)
        status = cs_session_open(s, word[1], err);
    if (status)
        return status;
    answer(s, "%s", s->open.title);
    cs_session_say(s, "opened %s", word[1]);
    return CS_OK;
}

static cs_status reopen(cs_session *s, const char *what, cs_error *err)
{
    char file[sizeof s->open.file];
    memcpy(file, s->open.file, sizeof file);
    bool running = s->running;
    cs_status status = cs_session_open(s, file, err);
    if (status)
        return status;
    cs_session_say(s, "%s: seed %llu", what,
                   (unsigned long long)cs_run_seed(s->open.run));
    answer(s, "%s", s->message);
    return running ? cs_session_go(s, UINT64_MAX, err) : CS_OK;
}

static cs_status restart(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    return reopen(s, "started again", err);
}

static cs_status reseed(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t seed = cs_run_seed(s->open.run) + 1;
    cs_status status = n ? count(word[1], &seed, err) : CS_OK;
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    if (status == CS_OK)
        status = cs_session_remember(s, "seed", text, err);
    return status ? status : reopen(s, "reseeded", err);
}

static cs_status gallery(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    cs_flat table;
    cs_flat_begin(&table, s->out.body, CS_WIRE_BYTES);
    cs_status status = s->host->gallery(s->host->self, &table, err);
    s->out.table = 1;
    s->out.size = (uint32_t)table.used;
    return status;
}

/* ---- moving ------------------------------------------------------------ */

static uint64_t after(const cs_session *s, uint64_t n)
{
    uint64_t now = cs_run_steps(s->open.run);
    return n > UINT64_MAX - now ? UINT64_MAX : now + n;
}

static cs_status run(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t more = UINT64_MAX;
    cs_status status = n ? count(word[1], &more, err) : CS_OK;
    return status ? status : cs_session_go(s, after(s, more), err);
}

static cs_status pause_run(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    cs_session_pause(s);
    return CS_OK;
}

static cs_status toggle(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    return s->running ? pause_run(s, word, 0, err) : run(s, word, 0, err);
}

/* Whatever the speed, so many steps are made as soon as may be. */
static cs_status step(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t more = 1, done;
    cs_status status = n ? count(word[1], &more, err) : CS_OK;
    if (status)
        return status;
    cs_session_pause(s);
    if (more > 16)
        return cs_session_go(s, after(s, more), err);
    s->failed = false;
    s->dirty = true;
    return cs_run_advance(s->open.run, more, &done, err);
}

static cs_status speed(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    double d;
    cs_status status = number(word[1], &d, err);
    if (status)
        return status;
    if (d < 0)
        return cs_fail(err, CS_RANGE, "a speed is not negative");
    s->speed = d;
    s->speed_from = cs_session_clock();
    s->speed_step = s->open.run ? cs_run_steps(s->open.run) : 0;
    s->dirty = true;
    return CS_OK;
}

static cs_status rewind_run(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    uint64_t to, now = cs_run_steps(s->open.run);
    bool back = word[1][0] == '-';
    cs_status status = count(word[1] + back, &to, err);
    if (status)
        return status;
    if (back)
        to = now > to ? now - to : 0;
    cs_session_pause(s);
    status = cs_run_rewind(s->open.run, to, err);
    s->event_at = 0;
    if (status == CS_OK)
        cs_session_say(s, "back to step %llu", (unsigned long long)to);
    return status;
}

/* ---- changing and looking ---------------------------------------------- */

/* Cuts "arm.param" in two; without a point the arm looked at is meant. */
static cs_status find_param(cs_session *s, char *word, size_t *arm,
                            const cs_param **row, cs_error *err)
{
    char *point = strchr(word, '.');
    *arm = s->look[0];
    if (point) {
        *point = 0;
        cs_status status = find_arm(s, word, arm, err);
        *point = '.';
        if (status)
            return status;
        word = point + 1;
    }
    const cs_kernel_type *type = cs_run_arm(s->open.run, *arm).kernel->type;
    int i = cs_param_find(type->params, type->n_params, word);
    if (i < 0) {
        const char *names[CS_KERNEL_PARAMS + 1] = {NULL};
        for (size_t k = 0; k < type->n_params && k < CS_KERNEL_PARAMS; k++)
            names[k] = type->params[k].name;
        cs_fail(err, CS_UNKNOWN, "%s has no parameter '%s'", type->name, word);
        const char *near = cs_text_nearest(word, names);
        if (near)
            cs_mend(err, "did you mean '%s'?", near);
        return CS_UNKNOWN;
    }
    *row = &type->params[i];
    return CS_OK;
}

static cs_status set(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    size_t arm;
    const cs_param *row;
    double value;
    char key[128];
    cs_status status = find_param(s, word[1], &arm, &row, err);
    if (status == CS_OK)
        status = find_value(row, word[2], &value, err);
    if (status == CS_OK)
        status = cs_run_set(s->open.run, arm, row->name, value, err);
    if (status)
        return status;
    snprintf(key, sizeof key, "%s.%s", cs_run_arm(s->open.run, arm).name,
             row->name);
    cs_session_say(s, "%s = %s from step %llu", key, word[2],
                   (unsigned long long)cs_run_steps(s->open.run));
    answer(s, "%s", s->message);
    return cs_session_remember(s, key, word[2], err);
}

/* One of look's numbers, from 1; "=" leaves it, "+1" and "-1" go round. */
static cs_status turn(const char *word, size_t n, size_t *at, cs_error *err)
{
    if (strcmp(word, "=") == 0 || n == 0)
        return CS_OK;
    char *end;
    long k = strtol(word, &end, 10);
    bool relative = *word == '+' || *word == '-';
    if (end == word || *end)
        return cs_fail(err, CS_INPUT, "'%s' is not a number", word);
    long to = relative ? (long)*at + k % (long)n : k - 1;
    if (relative)
        to = (to + (long)n) % (long)n;
    if (to < 0 || to >= (long)n)
        return cs_fail(err, CS_RANGE, "'%s' is not from 1 to %zu", word, n);
    *at = (size_t)to;
    return CS_OK;
}

static cs_status look(cs_session *s, char **word, size_t n, cs_error *err)
{
    size_t at[3];
    memcpy(at, s->look, sizeof at);
    cs_status status = CS_OK;
    if (strcmp(word[1], "=") && word[1][0] != '+' && word[1][0] != '-')
        status = find_arm(s, word[1], &at[0], err);
    else
        status = turn(word[1], cs_run_arms(s->open.run), &at[0], err);
    if (status)
        return status;
    size_t chains = cs_run_arm(s->open.run, at[0]).chains;
    if (at[1] >= chains)
        at[1] = 0;
    if (n > 1)
        status = turn(word[2], chains, &at[1], err);
    if (status == CS_OK && n > 2)
        status =
            turn(word[3], cs_run_target(s->open.run)->space.dim, &at[2], err);
    if (status == CS_OK)
        memcpy(s->look, at, sizeof at);
    s->dirty = true;
    return status;
}

/* ---- script, files, the rest ------------------------------------------- */

static cs_status lua(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    char *out = cs_alloc(1, CS_WIRE_BYTES);
    if (!out)
        return cs_fail(err, CS_MEMORY, "no memory for the answer");
    cs_status status =
        s->host->eval(s->host->self, word[1], out, CS_WIRE_BYTES, err);
    cs_message_text(&s->out, out);
    cs_free(out);
    s->dirty = true;
    return status;
}

static cs_status complete(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n, (void)err;
    cs_flat table;
    cs_flat_begin(&table, s->out.body, CS_WIRE_BYTES);
    s->host->complete(s->host->self, word[1], &table);
    s->out.table = 1;
    s->out.size = (uint32_t)table.used;
    return CS_OK;
}

static cs_status stop_writing(cs_session *s, cs_error *err)
{
    cs_status status = cs_record_finish(s->record, s->open.run, err);
    s->record = NULL;
    return status;
}

/* write DIR begins; a bare write ends and completes the files. */
static cs_status write_draws(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    cs_status status = stop_writing(s, err);
    if (status || n == 0)
        return status;
    cs_record_spec spec = {.folder = word[1]};
    for (size_t i = 2; i <= n && status == CS_OK; i++) {
        if (strcmp(word[i], "resume") == 0)
            spec.resume = true;
        else if (strcmp(word[i], "force") == 0)
            spec.force = true;
        else if (strncmp(word[i], "thin=", 5) == 0)
            status = count(word[i] + 5, &spec.thin, err);
        else
            status = cs_fail(err, CS_UNKNOWN, "write knows no '%s'", word[i]);
    }
    if (status == CS_OK)
        status = cs_record_create(&s->record, s->open.run, &spec, err);
    s->dirty = true;
    return status;
}

static cs_status save(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    cs_checkpoint c = {.thin = 1};
    cs_status status = cs_run_save(s->open.run, &c.run, &c.size, err);
    if (status)
        return status;
    status = cs_checkpoint_write(word[1], &c, err);
    cs_free(c.run);
    return status;
}

static cs_status load(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)n;
    cs_checkpoint c;
    cs_status status = cs_checkpoint_read(&c, word[1], err);
    if (status)
        return status;
    cs_session_pause(s);
    status = cs_run_load(s->open.run, c.run, c.size, err);
    cs_checkpoint_fini(&c);
    s->event_at = 0;
    s->dirty = true;
    return status;
}

static cs_status summary(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    s->out.size = (uint32_t)cs_summary_text(s->open.run, (char *)s->out.body,
                                            CS_WIRE_BYTES);
    return CS_OK;
}

static cs_status quit(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    s->quit = true;
    return CS_OK;
}

static cs_status help(cs_session *s, char **word, size_t n, cs_error *err);

static const command table[] = {
    {"open", "FILE [arm.param=value ...]", "open a scenario", 0, 1, open_file},
    {"gallery", "", "the scenarios there are", 0, 0, gallery},
    {"run", "[STEPS]", "let the chains run", NEEDS_RUN, 0, run},
    {"pause", "", "stop at the next step", 0, 0, pause_run},
    {"toggle", "", "run or pause", NEEDS_RUN, 0, toggle},
    {"step", "[STEPS]", "make steps, then pause", NEEDS_RUN, 0, step},
    {"speed", "STEPS", "steps per second, 0 = no limit", 0, 1, speed},
    {"set", "[arm.]PARAM VALUE", "change a parameter", NEEDS_RUN, 2, set},
    {"restart", "", "open again, with what was set", NEEDS_RUN, 0, restart},
    {"reseed", "[SEED]", "start again with another seed", NEEDS_RUN, 0, reseed},
    {"rewind", "STEP | -STEPS", "go back, exactly", NEEDS_RUN, 1, rewind_run},
    {"look", "ARM [CHAIN [COORD]]", "choose what to look at; = + - are known",
     NEEDS_RUN, 1, look},
    {"lua", "CODE", "run a line of Lua", RAW, 1, lua},
    {"complete", "LINE", "completions of a line of Lua", RAW, 0, complete},
    {"save", "FILE", "keep the run as it is", NEEDS_RUN, 1, save},
    {"load", "FILE", "go on with what was kept", NEEDS_RUN, 1, load},
    {"write", "[DIR [thin=N] [force] [resume]]",
     "draws to files from now on; alone: end them", NEEDS_RUN, 0, write_draws},
    {"summary", "", "what the chains say so far", NEEDS_RUN, 0, summary},
    {"help", "", "this list", 0, 0, help},
    {"quit", "", "end the session", 0, 0, quit},
};

enum { N_COMMANDS = sizeof table / sizeof *table };

static cs_status help(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    char text[4096];
    size_t at = 0;
    for (size_t i = 0; i < N_COMMANDS && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s %s -- %s\n",
                               table[i].name, table[i].args, table[i].help);
    cs_message_text(&s->out, text);
    return CS_OK;
}

static const command *find(const char *name, cs_error *err)
{
    const char *names[N_COMMANDS + 1] = {NULL};
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
        names[i] = table[i].name;
    }
    cs_fail(err, CS_UNKNOWN, "there is no command '%s'", name);
    const char *near = cs_text_nearest(name, names);
    cs_mend(err, near ? "did you mean '%s'?" : "help lists them", near);
    return NULL;
}

static cs_status obey(cs_session *s, char *line, cs_error *err)
{
    char *word[CS_WORDS + 1], first[32];
    size_t n = strcspn(line, " \t\n");
    snprintf(first, sizeof first, "%.*s", (int)(n < 31 ? n : 31), line);
    const command *c = find(first, err);
    if (!c)
        return CS_UNKNOWN;
    if ((c->flags & NEEDS_RUN) && !s->open.run)
        return cs_session_go(s, 0, err); /* says what is missing */
    if (c->flags & RAW) {
        word[0] = line;
        word[1] = line + n + (line[n] != 0);
        n = 2;
    } else {
        cs_status status = cs_words_cut(line, word, &n, err);
        if (status)
            return status;
    }
    if (n < c->least + 1) {
        cs_fail(err, CS_INPUT, "%s needs more", c->name);
        cs_mend(err, "%s %s", c->name, c->args);
        return CS_INPUT;
    }
    return c->obey(s, word, n - 1, err);
}

void cs_session_obey(cs_session *s)
{
    cs_error err = {0};
    s->out.id = s->in.id;
    cs_message_text(&s->out, "");
    s->out.status = (uint32_t)obey(s, (char *)s->in.body, &err);
    if (s->out.status == CS_OK)
        return;
    char text[1100];
    cs_error_format(&err, text, sizeof text);
    cs_message_text(&s->out, text);
}
