/* Constructs posteriors of exponential families: see family.h. */
#include "base/memory.h"
#include "data/table.h"
#include "targets/intractable/family.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- data ---------------------------------------------------------------- */

static cs_status read_file(const char *path, cs_given_data *d, cs_error *err)
{
    cs_table table;
    cs_status status = cs_table_read(path, &table, err);
    if (status)
        return status;
    *d = (cs_given_data){table.rows, table.cols, table.data};
    table.data = NULL;
    cs_table_free(&table);
    return CS_OK;
}

cs_status cs_family_read(const char *target, const cs_value *v,
                         cs_given_data *d, cs_error *err)
{
    const cs_value *list = &v[CS_FAMILY_DATA], *file = &v[CS_FAMILY_FILE];
    *d = (cs_given_data){0};
    if (list->given && file->given)
        return cs_fail(err, CS_INPUT, "%s: both `data` and `file` are given",
                       target);
    if (file->given)
        return read_file(file->text, d, err);
    if (!list->given)
        return CS_OK;
    d->number = cs_alloc(list->rows * list->cols, sizeof *d->number);
    if (!d->number)
        return cs_fail(err, CS_MEMORY, "out of memory for target %s", target);
    d->rows = list->rows;
    d->cols = list->cols;
    memcpy(d->number, list->array, d->rows * d->cols * sizeof *d->number);
    return CS_OK;
}

static cs_status check(const char *target, const cs_family_kind *kind,
                       size_t wanted, const cs_given_data *d, cs_error *err)
{
    if (d->rows * d->cols != wanted)
        return cs_fail(err, CS_INPUT,
                       "%s: `data` has %zu numbers, but %zu are needed", target,
                       d->rows * d->cols, wanted);
    for (size_t i = 0; i < wanted; i++) {
        double *y = d->number + i;
        if (kind->signs && *y == -1)
            *y = 0;
        bool any = kind->most == 0 && isfinite(*y);
        if (any || (*y >= kind->least && *y <= kind->most && *y == floor(*y)))
            continue;
        cs_fail(err, CS_RANGE, "%s: entry %zu of the data is %g", target, i + 1,
                *y);
        if (kind->most != 0)
            cs_hint(err, "give integers from %g to %g",
                    kind->signs ? -1 : kind->least, kind->most);
        return CS_RANGE;
    }
    return CS_OK;
}

/* Simulates the data by the target's own exact draw. The random numbers are
 * those that chain 0 has in a run with the seed `seed`. */
static cs_status simulate(cs_target *t, cs_family *f, const double *truth,
                          uint64_t seed, cs_error *err)
{
    static const uint64_t chain[CS_PAD] = {0};
    double theta[CS_FAMILY_THETA * CS_PAD] __attribute__((aligned(64)));
    double reported[3][CS_PAD] = {{0}};
    size_t n = f->n_data;
    cs_streams streams = cs_streams_of(seed, 0, chain, CS_PAD, 1);
    double *scratch =
        cs_alloc((n + t->simulate_words) * CS_PAD, sizeof *scratch);
    if (!scratch)
        return cs_fail(err, CS_MEMORY, "out of memory for target %s",
                       t->type->name);
    for (size_t i = 0; i < f->parameters * CS_PAD; i++)
        theta[i] = truth[i / CS_PAD];
    cs_point at = {.x = theta,
                   .scratch = scratch + n * CS_PAD,
                   .lanes = CS_PAD,
                   .live = 1};
    cs_simulation s = {.streams = &streams,
                       .data = scratch,
                       .updates = reported[0],
                       .past = reported[1],
                       .left = reported[2]};
    t->type->factor.simulate(t, &at, &s);
    for (size_t i = 0; i < n; i++)
        f->data[i] = scratch[i * CS_PAD];
    cs_free(scratch);
    if (reported[2][0] == 0)
        return CS_OK;
    cs_fail(err, CS_NUMERIC,
            "%s: no exact draw from the truth after %g updates", t->type->name,
            reported[0][0]);
    cs_hint(err, "raise `limit`, or choose `truth` nearer to 0");
    return CS_NUMERIC;
}

/* ---- parameters ---------------------------------------------------------- */

/* Copies the list that the user gave for parameter number `row` to to[n]. If no
 * list was given, leaves to[n] unchanged. */
static cs_status take_list(const cs_target *t, const cs_value *v, size_t row,
                           size_t n, double *to, cs_error *err)
{
    if (!v[row].given)
        return CS_OK;
    if (v[row].rows * v[row].cols != n) {
        cs_fail(err, CS_INPUT, "%s: %zu numbers in %s, not %zu", t->type->name,
                v[row].rows * v[row].cols, t->type->params[row].name, n);
        cs_hint(err, "give one number for each parameter");
        return CS_INPUT;
    }
    for (size_t i = 0; i < n; i++)
        if (!isfinite(to[i] = v[row].array[i]))
            return cs_fail(err, CS_RANGE, "%s: %s is not finite", t->type->name,
                           t->type->params[row].name);
    return CS_OK;
}

static cs_status take_prior(const cs_target *t, cs_family *f,
                            const cs_family_kind *kind, const cs_value *v,
                            double *truth, cs_error *err)
{
    double sd[CS_FAMILY_THETA] = {0};
    size_t n = kind->parameters;
    memcpy(f->low, kind->low, sizeof f->low);
    memcpy(f->high, kind->high, sizeof f->high);
    memcpy(truth, kind->truth, sizeof kind->truth);
    cs_status s = take_list(t, v, CS_FAMILY_LOW, n, f->low, err);
    if (!s)
        s = take_list(t, v, CS_FAMILY_HIGH, n, f->high, err);
    if (!s)
        s = take_list(t, v, CS_FAMILY_PRIOR_MEAN, n, f->mean, err);
    if (!s)
        s = take_list(t, v, CS_FAMILY_PRIOR_SD, n, sd, err);
    if (!s)
        s = take_list(t, v, CS_FAMILY_TRUTH, n, truth, err);
    for (size_t p = 0; p < n && !s; p++) {
        if (f->low[p] >= f->high[p])
            s = cs_fail(err, CS_RANGE, "%s: the range of %s is empty: %g to %g",
                        t->type->name, kind->names[p], f->low[p], f->high[p]);
        if (!s && v[CS_FAMILY_PRIOR_SD].given && !(sd[p] > 0))
            s = cs_fail(err, CS_RANGE,
                        "%s: prior_sd is %g, but must be above 0",
                        t->type->name, sd[p]);
        f->precision[p] = sd[p] > 0 ? 1 / (sd[p] * sd[p]) : 0;
    }
    return s;
}

/* Computes S of the observed data, with the same data in every lane. */
static cs_status observe(const cs_target *t, cs_family *f, cs_error *err)
{
    double *y = cs_alloc(f->n_data * CS_PAD, sizeof *y);
    _Alignas(64) double s[CS_FAMILY_THETA * CS_PAD];
    if (!y)
        return cs_fail(err, CS_MEMORY, "out of memory for target %s",
                       t->type->name);
    for (size_t i = 0; i < f->n_data * CS_PAD; i++)
        y[i] = f->data[i / CS_PAD];
    f->statistics(f, y, CS_PAD, s);
    for (size_t p = 0; p < f->parameters; p++)
        f->observed[p] = s[p * CS_PAD];
    cs_free(y);
    return CS_OK;
}

static void set_hooks(cs_target *t, cs_family *f, const cs_family_kind *kind)
{
    t->space = (cs_space){.kind = CS_CONTINUOUS, .dim = f->parameters};
    t->n_data = f->n_data;
    t->data = f->data;
    if (kind->most > kind->least) {
        t->data_values = (size_t)(kind->most - kind->least) + 1;
        t->data_picture.low = kind->least;
        t->data_picture.high = kind->most;
    }
    if (!f->log_z && !f->counts.n)
        t->flags |= CS_TARGET_UNNORMALISED;
    for (size_t p = 0; p < 2; p++) {
        t->exact.view[2 * p] = p < f->parameters ? f->low[p] : -1;
        t->exact.view[2 * p + 1] = p < f->parameters ? f->high[p] : 1;
    }
}

cs_status cs_family_make(cs_target *t, cs_family *f, const cs_family_kind *kind,
                         const cs_value *v, cs_given_data *d, cs_error *err)
{
    double truth[CS_FAMILY_THETA];
    f->parameters = kind->parameters;
    f->names = kind->names;
    f->limit = v[CS_FAMILY_LIMIT].number;
    f->data = d->number;
    d->number = NULL;
    cs_status s = take_prior(t, f, kind, v, truth, err);
    if (!s && f->data) {
        cs_given_data given = {d->rows, d->cols, f->data};
        s = check(t->type->name, kind, f->n_data, &given, err);
    } else if (!s) {
        f->data = cs_alloc(f->n_data, sizeof *f->data);
        s = f->data
                ? simulate(t, f, truth, (uint64_t)v[CS_FAMILY_SEED].number, err)
                : cs_fail(err, CS_MEMORY, "out of memory for the data");
    }
    if (!s)
        s = observe(t, f, err);
    if (!s)
        set_hooks(t, f, kind);
    return s;
}

void cs_family_free(cs_family *f)
{
    cs_state_counts_free(&f->counts);
    cs_free(f->data);
    f->data = NULL;
}

void cs_family_coordinate(const cs_target *t, size_t i, char *text, size_t size)
{
    assert(i < t->space.dim);
    snprintf(text, size, "%s", ((const cs_family *)t->self)->names[i]);
}

void cs_family_start(const cs_target *t, const double *uniform, double *x)
{
    const cs_family *f = t->self;
    for (size_t p = 0; p < f->parameters; p++)
        x[p] = f->low[p] + (0.25 + 0.5 * uniform[p]) * (f->high[p] - f->low[p]);
}
