/* Energy of trajectories, and its changes between draws. Used for kernels whose
 * draws have energy__, the total energy of the draw with the momentum that it
 * has on its trajectory. The distribution of the changes may be narrow
 * compared with the distribution of the energy. Refreshing the momentum then
 * moves chains between energies too slowly (Betancourt, "Diagnosing suboptimal
 * cotangent disintegrations in Hamiltonian Monte Carlo", 2016, figure 4). Draws
 * count equally, even if they have weights. */
#include "probe/grid.h"

#include <math.h>

/* Memory of a lane: the number of draws; the previous energy; the mean of the
 * energies; the sum of squares about this mean; the sum of squared changes; and
 * two histograms (probe/grid.h). */
enum {
    SEEN,
    LAST,
    MEAN,
    SQUARES,
    JUMPS,
    ENERGIES,
    CHANGES = ENERGIES + CS_GRID_WORDS,
    WORDS = CHANGES + CS_GRID_WORDS
};

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    if (!cs_space_is_real(&target->space))
        return cs_fail(err, CS_UNSUPPORTED,
                       "target %s has no Hamiltonian trajectories",
                       target->name);
    p->words = WORDS;
    return CS_OK;
}

static void take(double *m, size_t n, double energy)
{
    double seen = ++m[SEEN * n], delta = energy - m[MEAN * n];
    m[MEAN * n] += delta / seen;
    m[SQUARES * n] += delta * (energy - m[MEAN * n]);
    size_t bin = cs_grid_reach(m + ENERGIES * n, n, 1, energy);
    m[(ENERGIES + CS_GRID_BIN + bin) * n] += 1;
    double change = energy - m[LAST * n];
    m[LAST * n] = energy;
    if (seen == 1)
        return;
    m[JUMPS * n] += change * change;
    bin = cs_grid_reach(m + CHANGES * n, n, 1, change);
    m[(CHANGES + CS_GRID_BIN + bin) * n] += 1;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    (void)p;
    for (size_t l = 0; s->energy && l < s->live; l++)
        if (!s->left_out[l] && isfinite(s->energy[l]))
            take(memory + l, s->lanes, s->energy[l]);
}

static void put_counts(const cs_lane_memory *chain, size_t n, size_t at,
                       const char *prefix, const char *name, cs_flat *out)
{
    double width, low, high;
    if (!cs_grid_span(chain, n, at, &width, &low, &high))
        return;
    size_t bins = (size_t)(high - low) + 1;
    double *edge = cs_flat_array(out, 1, bins + 1, "%s%s/edges", prefix, name);
    double *to = cs_flat_array(out, 1, bins, "%s%s/counts", prefix, name);
    for (size_t b = 0; edge && b <= bins; b++)
        edge[b] = (low + (double)b) * width;
    for (size_t c = 0; to && c < n; c++)
        cs_grid_add(&chain[c], at, width, low, 1, to);
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    (void)p;
    double all = 0, mean = 0;
    double *each = cs_flat_array(out, 1, n, "%sebfmi", prefix);
    for (size_t c = 0; c < n; c++) {
        double seen = cs_bin_word(&chain[c], SEEN);
        double squares = cs_bin_word(&chain[c], SQUARES);
        all += seen;
        mean += seen * cs_bin_word(&chain[c], MEAN);
        if (each)
            each[c] = squares > 0 ? cs_bin_word(&chain[c], JUMPS) / squares
                                  : (double)NAN;
    }
    if (!(all > 0))
        return;
    cs_flat_number(out, mean / all, "%smean", prefix);
    cs_flat_number(out, all, "%sdraws", prefix);
    put_counts(chain, n, ENERGIES, prefix, "energy", out);
    put_counts(chain, n, CHANGES, prefix, "change", out);
}

const cs_probe_type CS_VARIANT(cs_probe_transitions) = {
    .name = "transitions",
    .title = "Energy transitions",
    .help = "energy of trajectories, changes of the energy between draws, and "
            "E-BFMI",
    .column = "energy__",
    .create = create,
    .observe = observe,
    .report = report,
};
