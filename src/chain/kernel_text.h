/* A kernel and its plan as text, in the words of a scenario:
 *
 *     cs.kernel.dmala { step = cs.schedule.cosine { ... }, balance = 0.5 }
 *
 * The one form that a checkpoint, a journal, plans.lua and a saved script hold.
 * Every number has the digits that bring back its bits. */
#pragma once

#include "base/page.h"
#include "chain/plan.h"

/* A wrapper that was read from a text: an object of its own, in a list. */
typedef struct cs_restored {
    cs_kernel kernel; /* [own] */
    struct cs_restored *next;
} cs_restored;

void cs_restored_free(cs_restored *list);

void cs_number_put(cs_page *p, double x);
void cs_numbers_put(cs_page *p, const double *x, size_t n); /* "{ 1, 2 }" */
void cs_schedule_put(cs_page *p, const cs_schedule *s);
void cs_kernel_put(cs_page *p, const cs_kernel *k, const cs_plan *plan);

/* Whether a text is all it takes to make them again; else a function of a
 * script is a part of them. */
bool cs_schedule_has_text(const cs_schedule *s);
bool cs_kernel_has_text(const cs_kernel *k, const cs_plan *plan);

/* Read a value from *at and advance it past the value; never beyond the end of
 * the line. */
bool cs_number_read(const char **at, double *x);
cs_status cs_numbers_read(const char **at, double *x, size_t room, size_t *n,
                          cs_error *err);

cs_status cs_schedule_read(const char **at, cs_schedule *s, cs_error *err);

/* `k` and `plan` hold what there is now (type NULL: nothing): what the text
 * names that has no registered type goes on from there. A wrapper is that of
 * `k` or one of the list `made` if it is the same, else a new one of it. Rows
 * that are not given have their defaults, one that a schedule drives has its
 * value at step 1. */
cs_status cs_kernel_read(const char **at, cs_restored **made, cs_kernel *k,
                         cs_plan *plan, cs_error *err);
