/* Shared by kernels with a stochastic gradient: memory, checks of the target,
 * and reasons why a chain failed. */
#include "kernels/real/stochastic_gradient.h"

#include "kernel/step_trace.h"

#include <stdio.h>

const char *const cs_sg_orders[] = {"epochs", "without_replacement",
                                    "with_replacement", NULL};

static bool has_control(const cs_target *t, const double *values)
{
    return cs_sg_rows(t, values) && values[CS_SG_CONTROL_VARIATES] != 0;
}

size_t cs_sg_memory_words(const cs_target *t, const double *values,
                          cs_sg_layout layout)
{
    size_t dim = t->space.dim, words = (layout.next + layout.kept) * dim;
    return words + (has_control(t, values) ? 2 * dim + 1 : 0);
}

size_t cs_sg_scratch_words(const cs_target *t, const double *values,
                           cs_sg_layout layout)
{
    size_t n = cs_sg_rows(t, values);
    return (2 + layout.next) * t->space.dim + 2 + cs_batch_words(n) +
           (has_control(t, values) ? 2 * n : n);
}

static cs_status refuse_batch(const char *kernel, const cs_target *t,
                              double batch, cs_error *err)
{
    cs_fail(
        err, CS_UNSUPPORTED,
        "kernel %s: batch = %.0f, but target %s is not a sum over rows of data",
        kernel, batch, t->name);
    cs_hint(err, "leave out `batch` and declare gradient_noise, or write the "
                 "target with `terms` over a table");
    return CS_UNSUPPORTED;
}

cs_status cs_sg_check(const char *kernel, const cs_target *t,
                      const double *values, cs_error *err)
{
    double batch = values[CS_SG_BATCH];
    if (batch > 0 && !t->type->rows.slope)
        return refuse_batch(kernel, t, batch, err);
    if (batch > (double)t->n_rows) {
        cs_fail(err, CS_RANGE,
                "kernel %s: batch = %.0f, but target %s has %zu rows of data",
                kernel, batch, t->name, t->n_rows);
        cs_hint(err, "use at most %zu, or 0 for all rows", t->n_rows);
        return CS_RANGE;
    }
    if (values[CS_SG_LOW] > values[CS_SG_HIGH]) {
        cs_fail(err, CS_RANGE, "kernel %s: low = %g is above high = %g", kernel,
                values[CS_SG_LOW], values[CS_SG_HIGH]);
        cs_hint(err, "make `low` smaller than `high`, or leave out both");
        return CS_RANGE;
    }
    if (values[CS_SG_CONTROL_VARIATES] != 0 && batch == 0) {
        cs_fail(err, CS_RANGE, "kernel %s: `control_variates` needs `batch`",
                kernel);
        cs_hint(err, "give `batch`, for example batch = 10");
        return CS_RANGE;
    }
    return CS_OK;
}

cs_status cs_sg_arrange(const cs_value *given, double *values, cs_error *err)
{
    bool low = given[CS_SG_LOW].given, high = given[CS_SG_HIGH].given;
    (void)err;
    if (low && !high)
        values[CS_SG_HIGH] = 1e300;
    if (high && !low)
        values[CS_SG_LOW] = -1e300;
    return CS_OK;
}

cs_logp_kind cs_sg_logp(const cs_target *t, const double *values)
{
    return cs_sg_rows(t, values) ? CS_LOGP_ESTIMATE : CS_LOGP_EXACT;
}

void cs_sg_explain(const cs_reason *why, char *text, size_t size)
{
    static const char *const fault[][2] = {
        [CS_SG_STATE] = {"of the state is", " (the rate is too large)"},
        [CS_SG_RUNAWAY] = {"diverged to", " (the rate is too large)"},
        [CS_SG_GRADIENT] = {"of the gradient is", ""}};
    if (why->code == CS_SG_FRICTION)
        snprintf(text, size,
                 "friction 1 - momentum = %.3g is less than noise_variance "
                 "needs, %.3g (use a lower rate)",
                 why->value, why->bound);
    else
        snprintf(text, size, "coordinate %.0f %s %g%s", why->row + 1,
                 fault[why->code][0], why->value, fault[why->code][1]);
}

void cs_sg_tell(const cs_move *m, const cs_sg_step *s, bool here)
{
    cs_step_trace_of(m)->rows = 0;
    for (size_t i = 0; i < s->batch.first[1]; i++)
        cs_note_row(cs_step_trace_of(m),
                    (cs_row_note){.row = s->batch.row[i],
                                  .use = CS_ROW_GUIDES,
                                  .bound = (double)NAN,
                                  .here = here ? s->term[i] : (double)NAN,
                                  .there = here ? (double)NAN : s->term[i],
                                  .chance = (double)NAN,
                                  .part = (double)NAN});
}
