#include "io/saved_summary.h"

#include "base/memory.h"
#include "data/json.h"
#include "files/file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 256 << 20, DEPTH = 8 };

/* The position of a value in the file. The position consists of keys, the
 * outermost first; the key of an element of a list is "". */
typedef struct place {
    char key[DEPTH][CS_SAVED_NAME];
    bool list[DEPTH];
    size_t depth;
} place;

static void cut(char *to, const cs_json_token *t)
{
    size_t n = t->size < CS_SAVED_NAME - 1 ? t->size : CS_SAVED_NAME - 1;
    memcpy(to, t->text, n);
    to[n] = 0;
}

static bool is_at(const place *at, size_t i, const char *key)
{
    return at->depth > i && strcmp(at->key[i], key) == 0;
}

/* ---- numbers and strings by their keys ----------------------------------- */

typedef struct field {
    const char *key;
    size_t offset;
} field;

static const field of_arm[] = {
    {"chains", offsetof(cs_saved_arm_summary, chains)},
    {"steps", offsetof(cs_saved_arm_summary, steps)},
    {"log_densities", offsetof(cs_saved_arm_summary, log_densities)},
    {"gradients", offsetof(cs_saved_arm_summary, gradients)},
    {"accepted", offsetof(cs_saved_arm_summary, accepted)},
};

static const field of_figure[] = {
    {"mean", offsetof(cs_saved_figure, mean)},
    {"sd", offsetof(cs_saved_figure, sd)},
    {"mcse", offsetof(cs_saved_figure, mcse)},
    {"rhat", offsetof(cs_saved_figure, rhat)},
    {"ess_bulk", offsetof(cs_saved_figure, ess_bulk)},
};

static void set_number(void *to, const field *fields, size_t n, const char *key,
                       double number)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].key, key) == 0)
            memcpy((char *)to + fields[i].offset, &number, sizeof number);
}

static void none_known(void *to, const field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++)
        set_number(to, fields, n, fields[i].key, (double)NAN);
}

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- memory for the entries ---- */

static bool add_arm(cs_saved_summary *s)
{
    if (!CS_GROW(s->arm, s->n, s->capacity, 1))
        return false;
    s->arm[s->n] = (cs_saved_arm_summary){.n = 0};
    none_known(&s->arm[s->n++], of_arm, COUNT(of_arm));
    return true;
}

static bool add_figure(cs_saved_arm_summary *a, const char *name)
{
    if (!CS_GROW(a->figure, a->n, a->capacity, 1))
        return false;
    a->figure[a->n] = (cs_saved_figure){.mean = NAN};
    snprintf(a->figure[a->n].name, sizeof a->figure->name, "%s", name);
    none_known(&a->figure[a->n++], of_figure, COUNT(of_figure));
    return true;
}

/* ---- reading ------------------------------------------------------------- */

static bool take_number(cs_saved_summary *s, const place *at, double number)
{
    cs_saved_arm_summary *a = s->n ? &s->arm[s->n - 1] : NULL;
    if (at->depth == 1 && is_at(at, 0, "seed"))
        s->seed = number;
    if (!a || !is_at(at, 0, "arms"))
        return true;
    if (at->depth == 3)
        set_number(a, of_arm, COUNT(of_arm), at->key[2], number);
    if (at->depth != 5 || !is_at(at, 2, "variables"))
        return true;
    if (!a->n || strcmp(a->figure[a->n - 1].name, at->key[3]) != 0)
        if (!add_figure(a, at->key[3]))
            return false;
    set_number(&a->figure[a->n - 1], of_figure, COUNT(of_figure), at->key[4],
               number);
    return true;
}

static void take_text(cs_saved_summary *s, const place *at,
                      const cs_json_token *t)
{
    cs_saved_arm_summary *a = s->n ? &s->arm[s->n - 1] : NULL;
    if (at->depth == 1 && is_at(at, 0, "target"))
        cut(s->target, t);
    if (at->depth == 2 && is_at(at, 0, "made_of"))
        cs_page_put(&s->provenance, "%.*s\n", (int)t->size, t->text);
    if (at->depth == 2 && is_at(at, 0, "changes"))
        cs_page_put(&s->changes, "%.*s\n", (int)t->size, t->text);
    if (a && at->depth == 3 && is_at(at, 0, "arms") && is_at(at, 2, "arm"))
        cut(a->name, t);
    if (a && at->depth == 3 && is_at(at, 0, "arms") && is_at(at, 2, "kernel"))
        cut(a->kernel, t);
}

/* Processes an opening bracket. Skips values that are nested more deeply than
 * this reader supports. */
static bool open(cs_saved_summary *s, place *at, bool list)
{
    bool arm = at->depth == 2 && is_at(at, 0, "arms") && !list;
    if (at->depth < DEPTH) {
        at->list[at->depth] = list;
        *at->key[at->depth] = 0;
    }
    at->depth++;
    return !arm || add_arm(s);
}

static cs_status take(cs_saved_summary *s, place *at, const cs_json_token *t,
                      cs_error *err)
{
    bool good = true, shallow = at->depth <= DEPTH;
    switch (t->kind) {
    case CS_JSON_OPEN_LIST:
    case CS_JSON_OPEN_OBJECT:
        good = open(s, at, t->kind == CS_JSON_OPEN_LIST);
        break;
    case CS_JSON_CLOSE_LIST:
    case CS_JSON_CLOSE_OBJECT:
        at->depth--;
        break;
    case CS_JSON_KEY:
        if (shallow)
            cut(at->key[at->depth - 1], t);
        break;
    case CS_JSON_TEXT:
        if (shallow)
            take_text(s, at, t);
        break;
    case CS_JSON_NUMBER:
    case CS_JSON_NULL:
        if (shallow)
            good = take_number(
                s, at, t->kind == CS_JSON_NULL ? (double)NAN : t->number);
        break;
    default:
        break;
    }
    return good ? CS_OK
                : cs_fail(err, CS_MEMORY, "out of memory for a summary");
}

cs_status cs_saved_summary_read(const char *folder, cs_saved_summary *s,
                                cs_error *err)
{
    char path[1024];
    unsigned char *text = NULL;
    size_t size;
    cs_json j;
    cs_json_token t = {.kind = CS_JSON_NULL};
    place *at = cs_alloc(1, sizeof *at);
    *s = (cs_saved_summary){.seed = NAN};
    snprintf(path, sizeof path, "%s/summary.json", folder);
    cs_status status =
        at ? cs_file_read(path, MOST, &text, &size, err)
           : cs_fail(err, CS_MEMORY, "out of memory for a summary");
    if (status == CS_IO)
        cs_hint(err, "give a folder written by chainscope run --out");
    if (status == CS_OK)
        status = cs_json_open(&j, (char *)text, size, path, err);
    if (status == CS_OK) {
        while (status == CS_OK && t.kind != CS_JSON_END) {
            status = cs_json_next(&j, &t, err);
            if (status == CS_OK)
                status = take(s, at, &t, err);
        }
        cs_json_close(&j);
    }
    if (status == CS_OK && s->n == 0)
        status = cs_fail(err, CS_INPUT, "%s has no arms", path);
    cs_free(text);
    cs_free(at);
    return status;
}

void cs_saved_summary_free(cs_saved_summary *s)
{
    for (size_t i = 0; i < s->n; i++)
        cs_free(s->arm[i].figure);
    CS_FREE_ALL(s->arm, s->provenance.text, s->changes.text);
    *s = (cs_saved_summary){.seed = NAN};
}

const cs_saved_arm_summary *cs_saved_arm_of(const cs_saved_summary *s,
                                            const char *name, size_t near)
{
    if (near < s->n && strcmp(s->arm[near].name, name) == 0)
        return &s->arm[near];
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->arm[i].name, name) == 0)
            return &s->arm[i];
    return NULL;
}

const cs_saved_figure *cs_saved_figure_of(const cs_saved_arm_summary *a,
                                          const char *name, size_t near)
{
    if (near < a->n && strcmp(a->figure[near].name, name) == 0)
        return &a->figure[near];
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->figure[i].name, name) == 0)
            return &a->figure[i];
    return NULL;
}
