/* Fraction of accepted proposals, or the mean acceptance probability if the
 * kernel reports one (info.accept_stat): over all steps, over the last 256
 * steps, and as a curve over time. The counts of a chain end when the chain
 * fails. All steps count equally, also for weighted draws, because acceptance
 * is a property of the chain.
 *
 * Events: long runs of rejections (only if each step is observed), steps that
 * diverged or produced a NaN, and states exchanged with other chains. */
#include "probe/rows.h"
#include "probe/time_bins.h"
#include "simd/vlanes.h"

#include <math.h>

/* Layout of the memory of a lane. */
enum {
    SEEN,
    STEPS,
    ACCEPTED,
    MOVED,
    ROLLING,
    TAKEN, /* newest step that was accepted or at which the chain failed */
    BIN_STEPS,
    BIN_ACCEPTED = BIN_STEPS + CS_BINS,
    REFUSALS = BIN_ACCEPTED + CS_BINS, /* rings of runs of rejections. Each
                                          entry has the length of a run, and the
                                          step at which the run ended */
    DIVERGED = REFUSALS + CS_RING_WORDS,
    NO_NUMBER = DIVERGED + CS_RING_WORDS,
    SWAPPED = NO_NUMBER + CS_RING_WORDS,
    WORDS = SWAPPED + CS_RING_WORDS
};

static const double window = 256;

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    (void)target;
    (void)err;
    p->words = WORDS;
    return CS_OK;
}

/* Records these events for one vector of lanes: long runs of rejections that
 * have ended, divergences and NaNs. The function is rarely called. */
static __attribute__((noinline)) void note(const cs_step_view *s, size_t first,
                                           double seen, double *memory)
{
    size_t n = s->lanes;
    for (size_t l = first; l < first + CS_VECTOR && l < s->live; l++) {
        double run = seen - memory[TAKEN * n + l] - 1;
        bool ends = s->failed[l] || s->info->accepted[l];
        if (ends && run >= CS_EVENT_LONG)
            cs_ring_add(memory + REFUSALS * n + l, n, (double)s->step, run, 0);
        if (s->divergent && s->divergent[l] != 0 && !s->failed[l])
            cs_ring_add(memory + DIVERGED * n + l, n, (double)s->step, 0, 0);
        if (isnan(s->info->log_ratio[l]) && !s->failed[l] &&
            s->info->logp_proposal[l] != -HUGE_VAL)
            cs_ring_add(memory + NO_NUMBER * n + l, n, (double)s->step, 0, 0);
    }
}

/* Adds `by` to one row of the memory, for one vector of lanes. */
static inline void add(double *row, cs_vd by)
{
    cs_store(row, cs_load(row) + by);
}

/* Returns the weight of a step in the rolling mean: one divided by the smaller
 * of the number of steps and the length of the window. */
static inline cs_vd share_of_step(cs_vd steps)
{
    const cs_vd most = cs_vset(window), one = cs_vset(1);
    cs_vi few = cs_vless(steps, most);
    cs_vd share = one / most;
    return cs_vbits(few)
               ? cs_vselect(few, one / cs_vselect(steps < one, one, steps),
                            share)
               : share;
}

/* Updates the counts of the chains in the vector of lanes that begins at lane
 * `l`. */
static inline void take(const cs_step_view *s, size_t l, double seen,
                        size_t bin, double *memory)
{
    const cs_vd none = cs_vset(0), one = cs_vset(1);
    const double *reported = s->info->accept_stat;
    size_t n = s->lanes;
    double *m = memory + l;
    cs_vi failed = cs_load_bool(s->failed + l);
    cs_vi yes = cs_load_bool(s->info->accepted + l);
    cs_vd live = cs_vselect(failed, none, one);
    cs_vd accepted = cs_vselect(failed, none,
                                reported ? cs_load(reported + l)
                                         : cs_vselect(yes, one, none));
    cs_vd steps = cs_load(m + STEPS * n) + live;
    cs_vd rolling = cs_load(m + ROLLING * n), taken = cs_load(m + TAKEN * n);
    cs_store(m + SEEN * n, cs_vset(seen));
    cs_store(m + STEPS * n, steps);
    add(m + ACCEPTED * n, accepted);
    add(m + MOVED * n,
        cs_vselect(cs_load_bool(s->info->moved + l), live, none));
    cs_store(m + ROLLING * n,
             rolling + live * share_of_step(steps) * (accepted - rolling));
    add(m + (BIN_STEPS + bin) * n, live);
    add(m + (BIN_ACCEPTED + bin) * n, accepted);
    yes |= failed;
    cs_vi odd = yes & cs_vless(taken, cs_vset(seen - CS_EVENT_LONG));
    cs_vd ratio = cs_load(s->info->log_ratio + l);
    odd |= ratio != ratio;
    if (s->divergent)
        odd |= cs_load(s->divergent + l) != 0.0;
    if (cs_vbits(odd))
        note(s, l, seen, memory);
    cs_store(m + TAKEN * n, cs_vselect(yes, cs_vset(seen), taken));
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
    for (size_t l = 0; l < cs_live_lanes(s); l += CS_VECTOR)
        take(s, l, (double)seen, bin, memory);
}

static void exchanged(const cs_probe *p, size_t l, size_t lanes, size_t from,
                      uint64_t step, double *memory)
{
    (void)p;
    cs_ring_add(memory + SWAPPED * lanes + l, lanes, (double)step,
                (double)from + 1, 0);
}

/* Reports a run of rejections as an event. The event is at the step at which
 * the run became long. Runs that ended before the oldest run in the ring are
 * lost. */
static void tell_run(cs_event_sink *sink, void *self, uint64_t since,
                     double first, double run)
{
    cs_event e = {.step = (uint64_t)first + CS_EVENT_LONG - 1,
                  .kind = CS_EVENT_REJECTIONS,
                  .a = run};
    if (run >= CS_EVENT_LONG && e.step > since)
        sink(self, &e);
}

static unsigned tell_ring(const double *ring, size_t n, cs_event_kind kind,
                          uint64_t since, cs_event_sink *sink, void *self)
{
    for (size_t i = 0; i < cs_ring_held(ring); i++) {
        cs_ring_row row = cs_ring_at(ring, n, i);
        if (kind == CS_EVENT_REJECTIONS)
            tell_run(sink, self, since, row.step - row.a, row.a);
        else if (row.step > (double)since)
            sink(self, &(cs_event){.step = (uint64_t)row.step,
                                   .kind = kind,
                                   .a = row.a});
    }
    if (kind == CS_EVENT_REJECTIONS && cs_ring_held(ring))
        since += (uint64_t)cs_ring_at(ring, n, 0).a;
    return cs_ring_lost(ring, n, since) ? 1u << kind : 0;
}

static unsigned events(const cs_probe *p, const cs_lane_memory *chain,
                       uint64_t since, cs_event_sink *sink, void *self)
{
    static const struct {
        size_t at;
        cs_event_kind kind;
    } ring[] = {{REFUSALS, CS_EVENT_REJECTIONS},
                {DIVERGED, CS_EVENT_DIVERGENCE},
                {NO_NUMBER, CS_EVENT_NAN},
                {SWAPPED, CS_EVENT_SWAP}};
    size_t n = chain->stride;
    unsigned lost = 0;
    for (size_t i = p->every > 1; i < sizeof ring / sizeof *ring; i++)
        lost |= tell_ring(chain->word + ring[i].at * n, n, ring[i].kind, since,
                          sink, self);
    if (p->every == 1) {
        double taken = cs_bin_word(chain, TAKEN);
        tell_run(sink, self, since, taken + 1,
                 cs_bin_word(chain, SEEN) - taken);
    }
    return lost;
}

static void count(const cs_probe *p, const cs_lane_memory *chain,
                  double to[CS_EVENT_KINDS])
{
    double run = cs_bin_word(chain, SEEN) - cs_bin_word(chain, TAKEN);
    if (p->every == 1)
        to[CS_EVENT_REJECTIONS] +=
            cs_bin_word(chain, REFUSALS) + (run >= CS_EVENT_LONG);
    to[CS_EVENT_DIVERGENCE] += cs_bin_word(chain, DIVERGED);
    to[CS_EVENT_NAN] += cs_bin_word(chain, NO_NUMBER);
    to[CS_EVENT_SWAP] += cs_bin_word(chain, SWAPPED);
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

const cs_probe_type CS_VARIANT(cs_probe_acceptance) = {
    .name = "acceptance",
    .title = "Acceptance",
    .help = "share of accepted proposals and share of steps that changed the "
            "state, over time",
    .all_chains = true,
    .create = create,
    .observe = observe,
    .exchanged = exchanged,
    .events = events,
    .count = count,
    .report = report,
};
