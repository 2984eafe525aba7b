/* The share of accepted proposals, of a kernel that tells it the mean probability
 * of acceptance (info.accept_stat): all steps, the last 256, and a curve over
 * time. A chain that failed is not counted from then on. All steps count, whatever
 * the weights of draws: these are facts of a chain. */
#include "probe/bins.h"
#include "probe/rows.h"
#include "simd/simd.h"

#include <math.h>

/* The memory of a lane. */
enum {
    SEEN,
    STEPS,
    ACCEPTED,
    MOVED,
    ROLLING,
    BIN_STEPS,
    BIN_ACCEPTED = BIN_STEPS + CS_BINS,
    WORDS = BIN_ACCEPTED + CS_BINS
};

static const double window = 256;

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    (void)err;
    p->words = WORDS;
    return CS_OK;
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes;
    uint64_t seen = cs_bins_seen(p, s->step);
    bool fold;
    size_t bin = cs_bins_at(seen, &fold);
    if (fold) {
        cs_bins_fold(memory + BIN_STEPS * n, n, CS_MERGE_SUM, 0);
        cs_bins_fold(memory + BIN_ACCEPTED * n, n, CS_MERGE_SUM, 0);
    }
    const double *told = s->info->accept_stat;
    for (size_t l = 0; l < n; l++) {
        double live = s->failed[l] ? 0 : 1;
        double accepted = told                   ? told[l] * live
                          : s->info->accepted[l] ? live
                                                 : 0;
        double steps = memory[STEPS * n + l] + live;
        double share = steps < window ? 1 / (steps + (steps == 0)) : 1 / window;
        double *rolling = &memory[ROLLING * n + l];
        memory[SEEN * n + l] = (double)seen;
        memory[STEPS * n + l] = steps;
        memory[ACCEPTED * n + l] += accepted;
        memory[MOVED * n + l] += s->info->moved[l] ? live : 0;
        *rolling += live * share * (accepted - *rolling);
        memory[(BIN_STEPS + bin) * n + l] += live;
        memory[(BIN_ACCEPTED + bin) * n + l] += accepted;
    }
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    cs_row_acceptance *row =
        CS_FLAT_ROWS(out, cs_row_acceptance, n, "%schains", prefix);
    for (size_t c = 0; row && c < n; c++) {
        double steps = cs_bin_word(&chain[c], STEPS);
        row[c] = (cs_row_acceptance){
            .steps = steps,
            .accepted = share_of(cs_bin_word(&chain[c], ACCEPTED), steps),
            .moved = share_of(cs_bin_word(&chain[c], MOVED), steps),
            .rolling =
                steps > 0 ? cs_bin_word(&chain[c], ROLLING) : (double)NAN};
    }
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], SEEN) : 0;
    size_t used = cs_bins_used(seen);
    cs_bins_time(p, seen, cs_flat_array(out, 1, used, "%stime", prefix));
    double *rate = cs_flat_array(out, n, used, "%srate", prefix);
    for (size_t c = 0; rate && c < n; c++)
        for (size_t i = 0; i < used; i++)
            *rate++ = share_of(cs_bin_word(&chain[c], BIN_ACCEPTED + i),
                               cs_bin_word(&chain[c], BIN_STEPS + i));
}

extern const cs_probe_type CS_VARIANT(cs_probe_acceptance);
const cs_probe_type CS_VARIANT(cs_probe_acceptance) = {
    .name = "acceptance",
    .title = "Acceptance",
    .help =
        "shares of accepted proposals and of moves, and their course over time",
    .all_chains = true,
    .create = create,
    .observe = observe,
    .report = report,
};
