#include "race/shot.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

static bool find(const cs_shot *s, cs_flat_entry *entry, const char *format,
                 va_list args)
{
    char key[CS_FLAT_KEY];
    cs_flat_key(key, format, args);
    if (s->index)
        return cs_flat_index_find_key(s->index, entry, key);
    return s->base && cs_flat_find(s->base, s->used, entry, "%s", key);
}

double cs_shot_number(const cs_shot *s, double fallback, const char *key, ...)
{
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(s, &e, key, args);
    va_end(args);
    return there && e.data && e.rows && e.cols ? e.data[0] : fallback;
}

const char *cs_shot_text(const cs_shot *s, const char *key, ...)
{
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(s, &e, key, args);
    va_end(args);
    return there && e.text ? e.text : "";
}

const double *cs_shot_array(const cs_shot *s, size_t *rows, size_t *cols,
                            const char *key, ...)
{
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(s, &e, key, args);
    va_end(args);
    there = there && e.data && e.rows && e.cols;
    *rows = there ? e.rows : 0;
    *cols = there ? e.cols : 0;
    return there ? e.data : NULL;
}

const double *cs_shot_rows(const cs_shot *s, size_t cols, size_t *n,
                           const char *key, ...)
{
    assert(cols > 0);
    cs_flat_entry e;
    va_list args;
    va_start(args, key);
    bool there = find(s, &e, key, args);
    va_end(args);
    there = there && e.data && e.rows && e.cols == cols;
    *n = there ? e.rows : 0;
    return there ? e.data : NULL;
}

size_t cs_shot_whole(double v, size_t most)
{
    return v > 0 ? v < (double)most ? (size_t)v : most : 0;
}

cs_table_facts cs_shot_facts(const cs_shot *s)
{
    cs_table_facts t = cs_facts_of_table(s->base, s->used, s->index);
    t.facts.arms = cs_shot_arms(s);
    return t;
}

size_t cs_shot_arms(const cs_shot *s)
{
    return cs_shot_whole(cs_shot_number(s, 0, "run/arms"), CS_SHOT_ARMS);
}

/* Returns the number of arms. The stored number may be corrupt, so the result
 * is at most the number of names that fit in the snapshot. */
size_t cs_shot_all_arms(const cs_shot *s)
{
    return cs_shot_whole(cs_shot_number(s, 0, "run/arms"),
                         s->used / CS_FLAT_LEAST);
}

const char *cs_shot_arm(const cs_shot *s, size_t arm)
{
    return cs_shot_text(s, "arm/%zu/name", arm);
}

size_t cs_shot_chains(const cs_shot *s, size_t arm)
{
    return cs_shot_whole(cs_shot_number(s, 0, "arm/%zu/chains", arm), 4096);
}

const cs_row_look *cs_shot_look(const cs_shot *s)
{
    size_t n;
    const cs_row_look *at = CS_SHOT_ROWS(s, cs_row_look, &n, CS_KEY_LOOK);
    bool sound = at && at->arm >= 0 && at->arm < 1e9 && at->chain >= 0 &&
                 at->chain < 1e9 && at->coordinate >= 0 && at->coordinate < 1e9;
    return sound ? at : NULL;
}

double cs_shot_accepted(const cs_shot *s, size_t arm)
{
    size_t n;
    double steps = 0, yes = 0;
    const cs_row_acceptance *c =
        CS_SHOT_ROWS(s, cs_row_acceptance, &n, CS_KEY_ACCEPTANCE, arm);
    for (size_t i = 0; i < n; i++) {
        steps += c[i].steps;
        yes += c[i].steps * c[i].accepted;
    }
    return yes / steps;
}

static bool has(const cs_shot *s, const char *key)
{
    cs_flat_entry e;
    return s->index ? cs_flat_index_find(s->index, &e, "%s", key)
                    : cs_flat_find(s->base, s->used, &e, "%s", key);
}

bool cs_shot_asks(const cs_shot *s)
{
    return has(s, "course/covers");
}

bool cs_shot_hides(const cs_shot *s)
{
    return cs_shot_asks(s) || has(s, "course/coming");
}

bool cs_shot_is_game(const cs_shot *s)
{
    return strcmp(cs_shot_text(s, "course/kind"), "game") == 0;
}

bool cs_shot_plays(const cs_shot *s)
{
    return cs_shot_asks(s) && cs_shot_is_game(s);
}

const cs_row_param *cs_shot_param(const cs_shot *s, size_t arm, size_t k)
{
    size_t n;
    const cs_row_param *row =
        CS_SHOT_ROWS(s, cs_row_param, &n, CS_KEY_PARAM, arm, k);
    bool sound = row && row->kind >= 0 && row->kind <= CS_PARAM_TEXT &&
                 row->flags >= 0 && row->flags <= UINT16_MAX;
    return sound ? row : NULL;
}

size_t cs_shot_params(const cs_shot *s, size_t arm,
                      size_t order[CS_SHOT_PARAMS])
{
    double all = cs_shot_number(s, 0, "arm/%zu/params", arm);
    double of[CS_SHOT_PARAMS];
    size_t n = cs_shot_whole(all, CS_SHOT_PARAMS), used = 0;
    for (size_t k = 0; k < n; k++) {
        const cs_row_param *p = cs_shot_param(s, arm, k);
        of[k] = p ? p->of : (double)NAN;
    }
    for (size_t k = 0; k < n; k++) {
        if (of[k] != 0)
            continue;
        order[used++] = k;
        for (size_t j = k + 1; j < n; j++)
            if (of[j] == (double)k + 1)
                order[used++] = j;
    }
    return used;
}

void cs_shot_value(const cs_shot *s, size_t arm, size_t k, double value,
                   char *text, size_t size)
{
    char names[16][40];
    const char *choices[17] = {NULL};
    const cs_row_param *p = cs_shot_param(s, arm, k);
    const char *list = cs_shot_text(s, "arm/%zu/param/%zu/choices", arm, k);
    for (size_t i = 0; i < 16 && cs_shot_word(list, i, names[i], 40); i++)
        choices[i] = names[i];
    cs_param row = {.kind = p ? (cs_param_kind)p->kind : CS_PARAM_REAL,
                    .choices = choices};
    cs_param_text(&row, value, text, size);
}

bool cs_shot_word(const char *words, size_t i, char *out, size_t size)
{
    return cs_fact_word(words, i, out, size);
}
