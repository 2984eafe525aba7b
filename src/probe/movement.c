/* Distance that chains move from one observation to the next:
 *
 *   sites  number of coordinates that changed (the Hamming distance), in
 *          discrete spaces; per step and per accepted step
 *   jump   squared distance |x' - x|^2, whose mean is the expected squared
 *          jumping distance
 *   gap    |x - a|, for a kernel with an auxiliary variable a of the same
 *          size as x ("Entropy-Guided Sampling of Flat Modes in Discrete
 *          Spaces", section A.2)
 *
 * The first observation only stores the state. A state that is not a draw of
 * the target (a hot chain) is skipped: the next jump is measured from the last
 * draw. Accepted steps are counted only if every step is observed. A chain that
 * has failed is not counted any more. Movement is a property of the chain and
 * ignores the weights of draws. */
#include "probe/time_bins.h"
#include "simd/vlanes.h"

#include <math.h>

/* Rows of the memory of a lane. The previous state follows these rows. */
enum { SEEN, LOOKS, ACCEPTED, SITES, JUMP, GAPS, GAP, GAP_SQUARE, BEFORE };

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)err;
    p->words = BEFORE + target->space.dim;
    return CS_OK;
}

static void add(double *sum, cs_vi counts, cs_vd x)
{
    cs_store(sum, cs_load(sum) + cs_vselect(counts, x, cs_vset(0)));
}

/* Updates eight lanes: adds the distances moved, and stores the current
 * states. */
static void look(const cs_step_view *s, size_t l, double *memory)
{
    size_t n = s->lanes;
    double *before = memory + BEFORE * n + l;
    cs_vd sites = cs_vset(0), jump = cs_vset(0);
    cs_vi live = ~cs_load_bool(s->left_out + l);
    for (size_t d = 0; d < s->dim; d++, before += n) {
        cs_vd x = cs_vselect(live, cs_load(s->x + d * n + l), cs_load(before));
        cs_vd delta = x - cs_load(before);
        sites += cs_vselect(delta != 0, cs_vset(1), cs_vset(0));
        jump = cs_vfma(delta, delta, jump);
        cs_store(before, x);
    }
    cs_vd seen = cs_load(memory + SEEN * n + l), one = cs_vset(1);
    cs_vi counts = live & (seen > 0);
    cs_vi accepted = counts & cs_load_bool(s->info->accepted + l);
    add(memory + SEEN * n + l, live, one);
    add(memory + LOOKS * n + l, counts, one);
    add(memory + ACCEPTED * n + l, accepted, one);
    add(memory + SITES * n + l, counts, sites);
    add(memory + JUMP * n + l, counts, jump);
}

static void look_at_aux(const cs_step_view *s, size_t l, double *memory)
{
    size_t n = s->lanes;
    cs_vd square = cs_vset(0), gap;
    for (size_t d = 0; d < s->dim; d++) {
        cs_vd delta = cs_load(s->x + d * n + l) - cs_load(s->aux + d * n + l);
        square = cs_vfma(delta, delta, square);
    }
    for (size_t k = 0; k < CS_VECTOR; k++)
        gap[k] = sqrt(square[k]);
    cs_vi live = ~cs_load_bool(s->left_out + l);
    add(memory + GAPS * n + l, live, cs_vset(1));
    add(memory + GAP * n + l, live, gap);
    add(memory + GAP_SQUARE * n + l, live, square);
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    for (size_t l = 0; l < s->lanes; l += CS_VECTOR) {
        look(s, l, memory);
        if (s->aux && s->aux_rows >= s->dim)
            look_at_aux(s, l, memory);
    }
}

/* Columns of a row of results for one chain or for all chains. */
enum { STEPS, PER_STEP, PER_ACCEPTED, SQUARED, COLUMNS };

static void put_row(const cs_probe *p, const double *sum, double *row)
{
    double n = sum[LOOKS], accepted = p->every == 1 ? sum[ACCEPTED] : 0;
    bool discrete = cs_space_is_discrete(&p->target->space);
    row[STEPS] = n;
    row[PER_STEP] = discrete && n > 0 ? sum[SITES] / n : (double)NAN;
    row[PER_ACCEPTED] =
        discrete && accepted > 0 ? sum[SITES] / accepted : (double)NAN;
    row[SQUARED] = n > 0 ? sum[JUMP] / n : (double)NAN;
}

/* Writes the mean and the standard deviation of the gap to row[]. */
static void put_gap(const double *sum, double *row)
{
    double n = sum[GAPS], mean = sum[GAP] / n;
    row[0] = mean;
    row[1] = sqrt(fmax(sum[GAP_SQUARE] / n - mean * mean, 0));
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    double sum[BEFORE] = {0}, one[BEFORE];
    double *row = cs_flat_array(out, n, COLUMNS, "%schains", prefix);
    for (size_t c = 0; row && c < n; c++, row += COLUMNS) {
        for (size_t w = 0; w < BEFORE; w++)
            sum[w] += one[w] = cs_bin_word(&chain[c], w);
        put_row(p, one, row);
    }
    double *all = cs_flat_array(out, 1, COLUMNS, "%sall", prefix);
    if (all)
        put_row(p, sum, all);
    double *gap =
        sum[GAPS] > 0 ? cs_flat_array(out, 1, 2, "%sgap", prefix) : NULL;
    if (gap)
        put_gap(sum, gap);
}

const cs_probe_type CS_VARIANT(cs_probe_movement) = {
    .name = "movement",
    .title = "Movement",
    .help = "number of changed sites (Hamming distance) and squared jumping "
            "distance per step, and distance from the state to the auxiliary "
            "variable",
    .whole = true,
    .create = create,
    .observe = observe,
    .report = report,
};
