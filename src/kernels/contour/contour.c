/* What kernels with contours need of memory, and what is told of their bins. */
#include "kernels/contour/contour.h"

#include "base/memory.h"

#include <stdio.h>

size_t cs_contour_rows(const cs_target *t, const double *values)
{
    (void)t;
    return (size_t)values[CS_CONTOUR_BINS];
}

size_t cs_contour_first(const cs_target *t, const double *values,
                        cs_sg_layout layout)
{
    return cs_sg_memory_words(t, values, layout);
}

size_t cs_contour_memory_words(const cs_target *t, const double *values,
                               cs_sg_layout layout)
{
    return cs_contour_first(t, values, layout) +
           3 * cs_contour_rows(t, values) + CS_CONTOUR_WORDS;
}

size_t cs_contour_scratch_words(const cs_target *t, const double *values,
                                cs_sg_layout layout)
{
    return cs_sg_scratch_words(t, values, layout) + CS_CONTOUR_OWN_ROWS;
}

void cs_contour_show(const cs_target *t, const double *values,
                     const double *memory, size_t stride, double *shown)
{
    double sum = 0;
    size_t n = cs_contour_rows(t, values);
    for (size_t i = 0; i < n; i++)
        sum += memory[i * stride];
    for (size_t i = 0; i < n; i++)
        shown[i] = memory[i * stride] / sum;
}

void cs_contour_explain(const cs_reason *why, char *text, size_t size)
{
    cs_sg_explain(why, text, size);
    size_t used = strlen(text);
    if (used < size && fabs(why->bound) > 1)
        snprintf(text + used, size - used,
                 ": the gradient's multiplier was %.3g, set clamp to 5, say",
                 why->bound);
}

/* ---- the report ---------------------------------------------------------- */

/* Of an exchange whose lanes begin with the bins. */
static cs_contour_bins bins_of_chain(const cs_exchange *m, size_t c)
{
    const cs_chain_ref *lane = &m->lane[c];
    return cs_contour_bins_at(lane->memory, cs_contour_rows(NULL, m->values),
                              lane->stride);
}

static double log_weight(const cs_exchange *m, size_t c, size_t i)
{
    cs_contour_bins b = bins_of_chain(m, c);
    return log(cs_contour_theta(&b, i));
}

static double visits(const cs_exchange *m, size_t c, size_t i)
{
    return bins_of_chain(m, c).visits[i * m->lane[c].stride];
}

static double learning(const cs_exchange *m, size_t c, size_t i)
{
    cs_contour_bins b = bins_of_chain(m, c);
    return cs_contour_is_learning(&b, i);
}

static double multiplier(const cs_exchange *m, size_t c, size_t i)
{
    const double *v = m->values;
    bool clamped = v[CS_CONTOUR_CLAMP] > 0;
    double low, high, clamp = clamped ? v[CS_CONTOUR_CLAMP] : HUGE_VAL;
    cs_contour_bins b = bins_of_chain(m, c);
    cs_contour_pieces(&b, i, v[CS_CONTOUR_MULTIPLIER] == CS_CONTOUR_FORWARD,
                      &low, &high);
    if (clamped && i + 1 == b.n)
        return 1;
    double by = v[CS_CONTOUR_ZETA] * v[CS_CONTOUR_TEMPERATURE];
    double all = 1 + by * log(high / low) / v[CS_CONTOUR_WIDTH];
    return fmin(fmax(all, -clamp), clamp);
}

void cs_contour_report(const cs_exchange *m, cs_sg_layout layout,
                       const char *prefix, cs_flat *out)
{
    const double *v = m->values;
    size_t first = cs_contour_first(m->target, v, layout);
    const cs_bins_told told = {.bins = {.first = v[CS_CONTOUR_FIRST],
                                        .width = v[CS_CONTOUR_WIDTH],
                                        .n = cs_contour_rows(m->target, v)},
                               .log_weight = log_weight,
                               .visits = visits,
                               .learning = learning,
                               .multiplier = multiplier};
    cs_chain_ref *lane = cs_alloc(m->chains, sizeof *lane);
    cs_exchange at_bins = *m;
    at_bins.lane = lane;
    for (size_t c = 0; lane && c < m->chains; c++) {
        lane[c] = m->lane[c];
        lane[c].memory += first * lane[c].stride;
    }
    if (lane)
        cs_bins_report(&told, &at_bins, prefix, out);
    cs_free(lane);
}
