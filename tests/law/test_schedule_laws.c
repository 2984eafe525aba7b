/* Applies the laws of schedules to every registered schedule. Each law also
 * detects its planted fault. */
#include "schedule/schedule.h"
#include "support/support.h"

#include <stdbool.h>
#include <string.h>

enum { MANY = 200 };

/* Creates a schedule with valid values for every parameter: its default, or
 * numbers that decrease from one parameter to the next. */
static cs_schedule make(const cs_schedule_type *type)
{
    cs_schedule s = {.type = type};
    if (type->n_params && type->params[0].kind == CS_PARAM_ARRAY)
        return cs_schedule_cycle((double[]){2, 5, 3}, 3);
    for (size_t i = 0; i < type->n_params; i++) {
        const cs_param *row = &type->params[i];
        s.values[i] =
            row->flags & CS_PARAM_REQUIRED ? 3.5 - (double)i : row->def;
        s.values[i] = fmin(fmax(s.values[i], row->min), row->max);
    }
    return s;
}

/* Returns true if a value depends only on its step. A single call for all steps
 * must give the same values as calls for one step at a time in reverse
 * order. */
static bool is_pure(const cs_schedule *s)
{
    double whole[MANY], piece;
    bool good = true;
    s->type->fill(s, 1, MANY, whole);
    for (uint64_t k = MANY; k >= 1; k--) {
        s->type->fill(s, k, 1, &piece);
        good &= memcmp(&piece, &whole[k - 1], sizeof piece) == 0;
    }
    return good;
}

/* Returns true if the values repeat after the period, or if the schedule has no
 * period. */
static bool repeats(const cs_schedule *s)
{
    double first[MANY], again[MANY];
    double period = s->type->period ? s->type->period(s) : 0;
    if (period < 1 || period > 1e9)
        return true;
    s->type->fill(s, 1, MANY, first);
    s->type->fill(s, 1 + (uint64_t)period, MANY, again);
    return memcmp(first, again, sizeof first) == 0;
}

/* Returns true if the values are finite at every step, including the last steps
 * that can be represented. */
static bool is_finite(const cs_schedule *s)
{
    static const uint64_t steps[] = {1, 2, 1000000007, UINT64_MAX - MANY};
    double value[MANY];
    bool good = true;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        s->type->fill(s, steps[k], MANY, value);
        for (size_t i = 0; i < MANY; i++)
            good &= isfinite(value[i]);
    }
    return good;
}

static const struct law {
    const char *name;
    bool (*holds)(const cs_schedule *s);
} laws[] = {{"pure", is_pure}, {"repeats", repeats}, {"finite", is_finite}};
enum { LAWS = sizeof laws / sizeof *laws };

static void every_schedule_obeys(void **state)
{
    (void)state;
    const cs_schedule_type *type;
    size_t n = 0;
    for (; (type = cs_schedule_at(n)); n++) {
        cs_schedule s = make(type);
        for (size_t k = 0; k < LAWS; k++)
            if (!laws[k].holds(&s))
                fail_msg("schedule %s violates the law: %s", type->name,
                         laws[k].name);
    }
    assert_true(n > 0);
}

/* ---- planted faults, one per law ----------------------------------------- */

static void counts_calls(const cs_schedule *s, uint64_t first, size_t n,
                         double *out)
{
    static double calls;
    (void)s;
    (void)first;
    for (size_t i = 0; i < n; i++)
        out[i] = calls++;
}

static void ramps(const cs_schedule *s, uint64_t first, size_t n, double *out)
{
    (void)s;
    for (size_t i = 0; i < n; i++)
        out[i] = (double)(first + i);
}

static double every_seven(const cs_schedule *s)
{
    (void)s;
    return 7;
}

static void divides_by_zero(const cs_schedule *s, uint64_t first, size_t n,
                            double *out)
{
    (void)s;
    for (size_t i = 0; i < n; i++)
        out[i] = 1 / (double)(first + i - 2);
}

static void faults_are_found(void **state)
{
    (void)state;
    const cs_schedule_type faulty[LAWS] = {
        {.name = "counts_calls", .fill = counts_calls},
        {.name = "ramps", .fill = ramps, .period = every_seven},
        {.name = "divides_by_zero", .fill = divides_by_zero}};
    for (size_t k = 0; k < LAWS; k++) {
        cs_schedule s = {.type = &faulty[k]};
        if (laws[k].holds(&s))
            fail_msg("the fault %s is not detected by the law: %s",
                     faulty[k].name, laws[k].name);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_schedule_obeys),
    cmocka_unit_test(faults_are_found),
};
TESTS(test_schedule_laws)
