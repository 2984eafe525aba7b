/* Writes and reads a kernel and its plan as text, in the syntax of a scenario:
 *
 *     cs.kernel.dmala { step = cs.schedule.cosine { ... }, balance = 0.5 }
 *
 * Checkpoints, journals, plans.lua and saved scripts all use this form. Numbers
 * are written with enough digits to restore every bit. */
#pragma once

#include "base/page.h"
#include "chain/plan.h"

/* A list of kernels that were read from text and have data of their own. */
typedef struct cs_restored {
    cs_kernel kernel; /* a kernel with data of its own [own] */
    struct cs_restored *next;
} cs_restored;

void cs_restored_free(cs_restored *list);

void cs_number_put(cs_page *p, double x);
void cs_numbers_put(cs_page *p, const double *x, size_t n); /* writes n numbers
                                                               as "{ 1, 2 }" */
void cs_schedule_put(cs_page *p, const cs_schedule *s);
void cs_kernel_put(cs_page *p, const cs_kernel *k, const cs_plan *plan);

/* Return whether the object can be created again from its text. This is not
 * possible if a part of the object is a function of a script. */
bool cs_schedule_has_text(const cs_schedule *s);
bool cs_kernel_has_text(const cs_kernel *k, const cs_plan *plan);

/* Read a value from *at and advance *at past it; the functions never read
 * beyond the end of the line. */
bool cs_number_read(const char **at, double *x);
cs_status cs_numbers_read(const char **at, double *x, size_t capacity,
                          size_t *n, cs_error *err);

cs_status cs_schedule_read(const char **at, cs_schedule *s, cs_error *err);

/* Reads a kernel and its plan. On entry, `k` and `plan` are the current kernel
 * and plan; if the type of `k` is NULL, there is no current kernel. A kernel or
 * schedule of a script has no registered type; if the text names such an
 * object, the current one is kept. If the kernel equals `k` or a kernel in the
 * list `made`, it shares the data of that kernel; otherwise a new kernel is
 * added to the list. Rows that are not given have their default values; a row
 * that a schedule drives has the schedule's value at step 1. */
cs_status cs_kernel_read(const char **at, cs_restored **made, cs_kernel *k,
                         cs_plan *plan, cs_error *err);
