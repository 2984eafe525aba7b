/* Memory of kernels with contours, and the report of their bins. */
#include "kernels/contour/contour.h"

#include "base/memory.h"

#include <assert.h>
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

/* Returns whether an exchange changes the weights of all bins. Such an exchange
 * needs space for two numbers per bin. */
static bool meets_in_all(const double *values)
{
    return values[CS_CONTOUR_SHARE] > 0 &&
           values[CS_CONTOUR_UPDATE] == CS_CONTOUR_HIGH;
}

size_t cs_contour_memory_words(const cs_target *t, const double *values,
                               cs_sg_layout layout)
{
    return cs_contour_first(t, values, layout) +
           (meets_in_all(values) ? 5 : 3) * cs_contour_rows(t, values) +
           CS_CONTOUR_WORDS;
}

size_t cs_contour_scratch_words(const cs_target *t, const double *values,
                                cs_sg_layout layout)
{
    return cs_sg_scratch_words(t, values, layout) + CS_CONTOUR_OWN_ROWS;
}

void cs_contour_show(const cs_target *t, const double *values,
                     const double *memory, size_t stride, double *shown)
{
    assert(memory && shown && stride);
    double sum = 0;
    size_t n = cs_contour_rows(t, values);
    for (size_t i = 0; i < n; i++)
        sum += memory[i * stride];
    for (size_t i = 0; i < n; i++)
        shown[i] = memory[i * stride] / sum;
}

/* Checks that theta(J)^zeta does not underflow. Initial weights are equal, so
 * theta(J)^zeta is bins^-zeta. */
static cs_status check_power(const double *values, cs_error *err)
{
    static const double least = 745; /* exp(-745) is the smallest positive
                                        double */
    double zeta = values[CS_CONTOUR_ZETA], bins = values[CS_CONTOUR_BINS];
    if (values[CS_CONTOUR_UPDATE] != CS_CONTOUR_POWER ||
        zeta * log(bins) < least)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "zeta = %g with %g bins: theta^zeta underflows, so update = "
            "\"power\" learns nothing",
            zeta, bins);
    cs_hint(err, "set update = \"high_zeta\", or zeta below %.3g",
            least / log(bins));
    return CS_RANGE;
}

cs_status cs_contour_arrange(const cs_value *given, size_t numbers,
                             double *values, cs_error *err)
{
    _Static_assert(CS_CONTOUR_BINS == CS_CONTOUR_FIRST + 2,
                   "the rows of bins must be consecutive");
    cs_status s = cs_sg_arrange(given, values, err);
    if (s == CS_OK)
        s = cs_bins_arrange(given, CS_CONTOUR_FIRST, numbers, values, err);
    return s ? s : check_power(values, err);
}

void cs_contour_explain(const cs_reason *why, char *text, size_t size)
{
    cs_sg_explain(why, text, size);
    size_t used = strlen(text);
    if (used < size && fabs(why->bound) > 1)
        snprintf(text + used, size - used,
                 "; the gradient's multiplier was %.3g (clamp = 5 bounds it)",
                 why->bound);
}

/* ---- shared weights ------------------------------------------------------ */

/* The chains that exchange the increments of their weights: the chains of
 * cs_exchange that have not failed. */
typedef struct sharing {
    const cs_exchange *m;
    size_t first, bins; /* first: words of memory before theta; bins: number of
                           bins */
    size_t best;        /* index of the chain whose copy of theta is updated */
    double live;
} sharing;

static cs_contour_bins copy_of(const sharing *t, size_t c)
{
    const cs_chain_ref *lane = &t->m->lane[c];
    return cs_contour_bins_at(lane->memory + t->first * lane->stride, t->bins,
                              lane->stride);
}

static size_t bin_of_chain(const sharing *t, size_t c)
{
    cs_contour_bins b = copy_of(t, c);
    return (size_t)cs_contour_word(&b, CS_CONTOUR_BIN);
}

static double said_by(const sharing *t, size_t c, size_t what)
{
    cs_contour_bins b = copy_of(t, c);
    return cs_contour_word(&b, what);
}

/* Counts the live chains, and sets `best` to the live chain with the most
 * exchanges. (A chain that had failed for some time has an outdated copy of
 * theta.) Returns false if all chains have failed. */
static bool gather(sharing *t)
{
    double most = -1;
    for (size_t c = 0; c < t->m->chains; c++) {
        if (t->m->failed[c])
            continue;
        double exchanges = said_by(t, c, CS_CONTOUR_EXCHANGES);
        t->live++;
        t->best = exchanges > most ? c : t->best;
        most = fmax(most, exchanges);
    }
    return t->live > 0;
}

/* Applies Eqs. 10 and 15 (see csgld.c). First shrinks all theta by the mean
 * increment of the live chains. Then, for each live chain, divides the
 * increment by the number of live chains and adds it to the bin of the
 * chain. */
static void share_out(const sharing *t, cs_contour_bins *b)
{
    double sum = 0, *scale = b->word + CS_CONTOUR_SCALE * b->stride;
    for (size_t c = 0; c < t->m->chains; c++)
        sum += t->m->failed[c] ? 0 : said_by(t, c, CS_CONTOUR_INCREMENT);
    *scale *= 1 - sum / t->live;
    for (size_t c = 0; c < t->m->chains; c++)
        if (!t->m->failed[c])
            b->theta[bin_of_chain(t, c) * b->stride] +=
                said_by(t, c, CS_CONTOUR_INCREMENT) / t->live / *scale;
}

/* Applies Eq. 57 (see csgld.c) to all bins. scratch[i] is the sum of the losses
 * of bin i caused by rho; scratch[n + i] is the sum of the gains of bin i. */
static void share_out_in_all(const sharing *t, cs_contour_bins *b)
{
    size_t by = b->stride;
    double *scratch = b->last + b->n * by, all = 0, high = 0, sum = 0;
    double scale = cs_contour_word(b, CS_CONTOUR_SCALE);
    for (size_t c = 0; c < t->m->chains; c++) {
        if (t->m->failed[c])
            continue;
        size_t at = bin_of_chain(t, c);
        double own = said_by(t, c, CS_CONTOUR_INCREMENT);
        double second = said_by(t, c, CS_CONTOUR_SECOND);
        all += own;
        scratch[at * by] += second / t->live;
        scratch[(b->n + at) * by] += (own + second) / t->live;
    }
    all /= t->live;
    for (size_t i = 0; i < b->n; i++) {
        high += scratch[i * by];
        double theta = b->theta[i * by] * scale * (1 - (all + high)) +
                       scratch[(b->n + i) * by];
        theta = fmax(theta, cs_contour_least_theta);
        scratch[i * by] = scratch[(b->n + i) * by] = 0;
        sum += b->theta[i * by] = theta;
    }
    b->word[CS_CONTOUR_SCALE * by] = 1 / sum;
}

/* Records in `last` how theta of the chains' bins changes. If `before` is true,
 * stores minus the old theta. Otherwise replaces that stored value by the ratio
 * of the new theta to the old theta. */
static void note_bins(const sharing *t, cs_contour_bins *b, bool before)
{
    double scale = cs_contour_word(b, CS_CONTOUR_SCALE);
    for (size_t c = 0; c < t->m->chains; c++) {
        size_t at = t->m->failed[c] ? 0 : bin_of_chain(t, c) * b->stride;
        if (t->m->failed[c])
            continue;
        if (before)
            b->last[at] = -b->theta[at] * scale;
        else if (b->last[at] < 0)
            b->last[at] = b->theta[at] * scale / -b->last[at];
    }
}

static void copy_bin(const cs_contour_bins *from, const cs_contour_bins *to,
                     size_t i)
{
    to->theta[i * to->stride] = from->theta[i * from->stride];
    to->last[i * to->stride] = from->last[i * from->stride];
}

/* Copies the changes from chain `best` to chain c: either theta of all bins, or
 * only theta of the bins that contain a chain. */
static void follow(const sharing *t, const cs_contour_bins *best, size_t c,
                   bool all)
{
    cs_contour_bins b = copy_of(t, c);
    double exchanges = cs_contour_word(best, CS_CONTOUR_EXCHANGES);
    bool late = cs_contour_word(&b, CS_CONTOUR_EXCHANGES) + 1 != exchanges;
    b.word[CS_CONTOUR_SCALE * b.stride] =
        cs_contour_word(best, CS_CONTOUR_SCALE);
    b.word[CS_CONTOUR_EXCHANGES * b.stride] = exchanges;
    for (size_t i = 0; all && i < b.n; i++)
        b.theta[i * b.stride] = best->theta[i * best->stride];
    for (size_t i = 0; late && i < b.n; i++)
        copy_bin(best, &b, i);
    for (size_t k = 0; k < t->m->chains; k++)
        if (!t->m->failed[k])
            copy_bin(best, &b, bin_of_chain(t, k));
}

void cs_contour_meet(const cs_exchange *m, cs_sg_layout layout)
{
    assert(m->chains && m->lane);
    sharing t = {.m = m,
                 .first = cs_contour_first(m->target, m->values, layout),
                 .bins = cs_contour_rows(m->target, m->values)};
    bool all = meets_in_all(m->values);
    if (!gather(&t))
        return;
    cs_contour_bins best = copy_of(&t, t.best);
    note_bins(&t, &best, true);
    (all ? share_out_in_all : share_out)(&t, &best);
    note_bins(&t, &best, false);
    if (cs_contour_word(&best, CS_CONTOUR_SCALE) < cs_contour_least_scale) {
        cs_contour_scale_in(&best);
        all = true;
    }
    best.word[CS_CONTOUR_EXCHANGES * best.stride]++;
    for (size_t c = 0; c < m->chains; c++)
        if (c != t.best && !m->failed[c])
            follow(&t, &best, c, all);
}

uint64_t cs_contour_period(const double *values)
{
    return (uint64_t)values[CS_CONTOUR_SHARE];
}

/* ---- report -------------------------------------------------------------- */

/* Returns the bins of chain c, for an exchange whose memory starts with the
 * bins. */
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

static cs_bins borders_of(const cs_exchange *m)
{
    const double *v = m->values;
    size_t given;
    return (cs_bins){.first = v[CS_CONTOUR_FIRST],
                     .width = v[CS_CONTOUR_WIDTH],
                     .n = cs_contour_rows(m->target, v),
                     .border = cs_self_list(m->self, CS_BIN_BORDERS, &given)};
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
    double all = 1 + by * log(high / low) / cs_bin_width(borders_of(m), i);
    return fmin(fmax(all, -clamp), clamp);
}

void cs_contour_report(const cs_exchange *m, cs_sg_layout layout,
                       const char *prefix, cs_flat *out)
{
    const double *v = m->values;
    size_t first = cs_contour_first(m->target, v, layout);
    const cs_bins_reported reported = {.bins = borders_of(m),
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
        cs_bins_report(&reported, &at_bins, prefix, out);
    cs_free(lane);
}
