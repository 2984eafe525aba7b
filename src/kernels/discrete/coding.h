/* Representations of a categorical site in gradient kernels: one number, or one
 * bit per value (one hot). With one bit per value the gradient has one row per
 * value, which holds the change of log p for this value. These changes are the
 * target's own slopes, from one evaluation, or all differences if the target
 * has no slopes (cs_eval_one_hot). */
#pragma once

#include "kernel/lanes.h"

#include <stdbool.h>

enum { CS_CODING_ORDERED, CS_CODING_ONE_HOT };
static const char *const cs_coding_names[] = {"ordered", "one_hot", NULL};

/* Parameter row `coding`. `more` is text that the kernel adds to the help. */
#define CS_CODING_ROW(more, paper)                                             \
    {                                                                          \
        .name = "coding", .unit = "", .kind = CS_PARAM_CHOICE,                 \
        .flags = CS_PARAM_SHARED | CS_PARAM_FIXED, .max = CS_CODING_ONE_HOT,   \
        .choices = cs_coding_names,                                            \
        .help = "representation of a categorical site: one number, or one "    \
                "bit per value (one_hot). one_hot uses the target's "          \
                "derivative for each bit or, if the target has none, the "     \
                "change of log p for every value of every site" more           \
                "; unused in other spaces",                                    \
        .ref = paper, .spaces = CS_CATEGORICAL,                                \
    }

/* Returns whether sites are coded as one bit per value. `row` is the index of
 * the parameter `coding`. */
static inline bool cs_coding_is_hot(const cs_move *m, size_t row)
{
    return m->space->kind == CS_CATEGORICAL &&
           cs_move_param(m, row)[0] == CS_CODING_ONE_HOT;
}

/* Returns the number of rows of the gradient or, with one bit per value, of the
 * changes of log p. */
static inline size_t cs_coding_rows(const cs_move *m, bool hot)
{
    return hot ? m->dim * (size_t)m->space->values : m->dim;
}

/* Returns the number of rows of the gradient, before a run. `coding` is the
 * value of the parameter `coding`. */
static inline size_t cs_coding_words(const cs_target *t, double coding)
{
    bool hot = coding == CS_CODING_ONE_HOT && t->space.kind == CS_CATEGORICAL;
    return hot ? t->space.dim * (size_t)t->space.values : t->space.dim;
}
