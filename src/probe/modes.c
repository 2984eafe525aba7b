/* The mode that a chain is near: the nearest of the target's modes, within the
 * radius that the target specifies.
 *
 * Visits, first visits and jumps are properties of a chain and are counted
 * without weights. The fractions of draws per mode are estimates, over all
 * draws and over the draws in each time bin, and use the weights. For weighted
 * draws `mass` is the total weight of the draws that `visits` counts, where a
 * chain counts in proportion to its number of draws. If there are only a few
 * modes, jumps are counted by origin and destination; states near no mode that
 * occur between two modes are ignored.
 *
 * Events: first visits, and jumps to modes that the chain has visited before.
 * The newest jump to each mode is also stored outside the ring of jumps. */
#include "probe/time_bins.h"
#include "probe/weigh.h"
#include "stat/distance.h"

#include <math.h>
#include <string.h>

/* Memory of a lane: the weights, the number of observations, the last mode
 * (from 1), draws near no mode, and the ring of jumps (destination, origin).
 * Then for each mode the visits, the first visit, the newest jump to it, and
 * the weight in each time bin. Then, if there are only a few modes, the number
 * of jumps between each pair. */
enum { SEEN = CS_WEIGH_ROWS, LAST, OTHER, JUMPS, HEAD = JUMPS + CS_RING_WORDS };
enum { VISITS, FIRST, NEWEST, MASS, OF_MODE = MASS + CS_BINS };
enum { FEW = 32 };

static size_t modes(const cs_probe *p)
{
    return p->target->exact.n_modes;
}

static size_t visits_of(size_t m)
{
    return HEAD + m * OF_MODE;
}

static size_t mass_bins(size_t m)
{
    return visits_of(m) + MASS;
}

static bool has_matrix(size_t k)
{
    return k > 1 && k <= FEW;
}

/* Returns the word that counts the jumps from mode `from` to mode `to`, where
 * there are k modes. */
static size_t jumps_of(size_t k, size_t from, size_t to)
{
    return visits_of(k) + from * k + to;
}

static cs_status create(cs_probe *p, cs_target *target, cs_error *err)
{
    if (target->exact.n_modes == 0 || !target->exact.modes) {
        cs_fail(err, CS_UNSUPPORTED, "the modes of target %s are not known",
                target->name);
        cs_hint(err, "omit the probe modes");
        return CS_UNSUPPORTED;
    }
    size_t k = target->exact.n_modes;
    p->words = visits_of(k) + (has_matrix(k) ? k * k : 0);
    p->first = target->space.dim;
    return CS_OK;
}

/* For each of eight lanes, returns the index (from 1) of the mode that the
 * state is near. If the state is near no mode, returns 0. */
static cs_vd nearest(const cs_probe *p, const cs_step_view *s, size_t l)
{
    const cs_exact *exact = &p->target->exact;
    cs_vd least = cs_vset(HUGE_VAL), best = cs_vset(0);
    for (size_t m = 0; m < exact->n_modes; m++) {
        const double *centre = exact->modes + m * s->dim;
        cs_vd square = cs_vset(0);
        for (size_t d = 0; d < s->dim; d++) {
            cs_vd delta = *(const cs_vd *)(s->x + d * s->lanes + l) - centre[d];
            square += delta * delta;
        }
        cs_vi nearer = square < least;
        least = cs_vselect(nearer, square, least);
        best = cs_vselect(nearer, cs_vset((double)(m + 1)), best);
    }
    double r = exact->mode_radius;
    return r > 0 ? cs_vselect(least > r * r, cs_vset(0), best) : best;
}

/* Records a jump to a mode other than the last visited mode. k is the number of
 * modes. The function is rarely called. */
static __attribute__((noinline)) void jump(double *memory, size_t n, size_t l,
                                           size_t k, size_t mode, uint64_t step)
{
    double last = memory[LAST * n + l];
    memory[(visits_of(mode - 1) + NEWEST) * n + l] = (double)step;
    cs_ring_add(memory + JUMPS * n + l, n, (double)step, (double)mode, last);
    if (has_matrix(k))
        memory[jumps_of(k, (size_t)last - 1, mode - 1) * n + l]++;
}

/* Records that a draw is near mode `mode` (from 1) of k modes; 0: the draw is
 * near no mode. */
static void visit(double *memory, size_t n, size_t l, size_t k, size_t mode,
                  size_t bin, double weight, uint64_t step)
{
    double *last = &memory[LAST * n + l];
    if (mode == 0) {
        memory[OTHER * n + l]++;
        return;
    }
    if (*last > 0 && *last != (double)mode)
        jump(memory, n, l, k, mode, step);
    *last = (double)mode;
    double *mine = memory + visits_of(mode - 1) * n + l;
    if (mine[VISITS] == 0)
        mine[FIRST * n] = (double)step;
    mine[VISITS]++;
    mine[(MASS + bin) * n] += weight;
}

/* Returns true if the target has a single mode that covers the whole space.
 * Then only the number of draws has to be recorded. */
static bool is_everywhere(const cs_probe *p)
{
    return modes(p) == 1 && !(p->target->exact.mode_radius > 0);
}

/* Counts the unweighted draws of all lanes as visits to a single mode that
 * covers the space. */
static void stay(const cs_step_view *s, double seen, size_t bin, double *memory)
{
    size_t n = s->lanes, lanes = cs_live_lanes(s);
    double *mine = memory + visits_of(0) * n, *last = memory + LAST * n;
    const cs_vd one = cs_vset(1);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd visits = cs_load(mine + l), first = cs_load(mine + FIRST * n + l);
        double *in_bin = mine + (MASS + bin) * n + l;
        cs_store(memory + l, cs_load(memory + l) + one);
        cs_store(memory + SEEN * n + l, cs_vset(seen));
        cs_store(last + l, one);
        cs_store(mine + FIRST * n + l,
                 cs_vselect(visits > 0, first, cs_vset((double)s->step)));
        cs_store(mine + l, visits + one);
        cs_store(in_bin, cs_load(in_bin) + one);
    }
}

/* Returns the result of `nearest` for one state. */
static size_t nearest_one(const cs_probe *p, const double *x)
{
    const cs_exact *exact = &p->target->exact;
    size_t dim = p->target->space.dim, best = 0;
    double least = HUGE_VAL, r = exact->mode_radius;
    for (size_t m = 0; m < exact->n_modes; m++) {
        const double *centre = exact->modes + m * dim;
        double square = 0;
        for (size_t d = 0; d < dim; d++)
            square += (x[d] - centre[d]) * (x[d] - centre[d]);
        best = square < least ? m + 1 : best;
        least = square < least ? square : least;
    }
    return r > 0 && least > r * r ? 0 : best;
}

static void observe_series(const cs_probe *p, const cs_probe_series *c,
                           double *memory)
{
    size_t n = c->lanes;
    for (size_t j = 0; j < c->n; j++) {
        bool fold;
        uint64_t seen = c->step + j;
        const double *x = c->row + j * c->width + 1;
        size_t bin = cs_bins_at(seen, &fold);
        for (size_t m = 0; fold && m < modes(p); m++)
            cs_bins_fold_some(memory + mass_bins(m) * n, CS_BINS, n, 1,
                              CS_MERGE_SUM, 0);
        memory[0] += 1;
        memory[SEEN * n] = (double)seen;
        visit(memory, n, 0, modes(p), is_everywhere(p) ? 1 : nearest_one(p, x),
              bin, 1, seen);
    }
}

static void observe(const cs_probe *p, const cs_step_view *s, double *memory)
{
    size_t n = s->lanes;
    bool fold;
    uint64_t seen = cs_bins_seen(p, s->step);
    size_t bin = cs_bins_at(seen, &fold);
    for (size_t m = 0; fold && m < modes(p); m++)
        cs_bins_fold(memory + mass_bins(m) * n, n, CS_MERGE_SUM, 0);
    if (s->whole && is_everywhere(p)) {
        stay(s, (double)seen, bin, memory);
        return;
    }
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vd mode = nearest(p, s, l);
        cs_weighed now =
            cs_weigh_lanes(s, l, ~cs_load_bool(s->left_out + l), memory);
        for (size_t m = 0; now.rises && m < modes(p); m++)
            cs_weigh_rescale(&now, memory + mass_bins(m) * n + l, CS_BINS, n);
        for (size_t k = l; k < l + CS_VECTOR; k++) {
            memory[SEEN * n + k] = (double)seen;
            if (k < s->live && !s->left_out[k])
                visit(memory, n, k, modes(p), (size_t)mode[k - l], bin,
                      now.w[k - l], s->step);
        }
    }
}

static void tell(cs_event_sink *sink, void *self, cs_event_kind kind,
                 double step, double a, double b)
{
    sink(self,
         &(cs_event){.step = (uint64_t)step, .kind = kind, .a = a, .b = b});
}

/* Passes the events to the sink. A space with a single mode has no events. */
static unsigned events(const cs_probe *p, const cs_lane_memory *chain,
                       uint64_t since, cs_event_sink *sink, void *self)
{
    size_t n = chain->stride;
    const double *ring = chain->word + JUMPS * n;
    double oldest = HUGE_VAL, after = (double)since;
    if (is_everywhere(p))
        return 0;
    for (size_t i = 0; i < cs_ring_held(ring); i++) {
        cs_ring_row row = cs_ring_at(ring, n, i);
        const double *mode = chain->word + visits_of((size_t)row.a - 1) * n;
        oldest = i == 0 ? row.step : oldest;
        if (row.step > after && row.step != mode[FIRST * n])
            tell(sink, self, CS_EVENT_JUMP, row.step, row.a, row.b);
    }
    for (size_t m = 0; m < modes(p); m++) {
        const double *mode = chain->word + visits_of(m) * n;
        double first = mode[FIRST * n], newest = mode[NEWEST * n];
        if (mode[VISITS] > 0 && first > after)
            tell(sink, self, CS_EVENT_VISIT, first, (double)(m + 1), 0);
        if (newest > after && newest < oldest && newest > first)
            tell(sink, self, CS_EVENT_JUMP, newest, (double)(m + 1), 0);
    }
    return cs_ring_lost(ring, n, since) ? 1u << CS_EVENT_JUMP : 0;
}

/* Adds the number of first visits and the number of jumps to the array to[].
 * The ring counts each first visit as a jump, except the very first visit of
 * the chain. These jumps are therefore subtracted from the number of jumps. */
static void count(const cs_probe *p, const cs_lane_memory *chain,
                  double to[CS_EVENT_KINDS])
{
    double been = 0;
    for (size_t m = 0; m < modes(p) && !is_everywhere(p); m++)
        been += cs_bin_word(chain, visits_of(m)) > 0;
    to[CS_EVENT_VISIT] += been;
    if (been > 0)
        to[CS_EVENT_JUMP] += cs_bin_word(chain, JUMPS) - (been - 1);
}

static void report_chains(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n, const char *prefix, cs_flat *out)
{
    size_t k = modes(p);
    double *visits = cs_flat_array(out, n, k, "%svisits", prefix);
    double *first = cs_flat_array(out, n, k, "%sfirst", prefix);
    double *other = cs_flat_array(out, 1, n, "%sother", prefix);
    double *jumps = cs_flat_array(out, 1, n, "%sjumps", prefix);
    if (!visits || !first || !other || !jumps)
        return;
    for (size_t c = 0; c < n; c++) {
        other[c] = cs_bin_word(&chain[c], OTHER);
        jumps[c] = cs_bin_word(&chain[c], JUMPS);
        for (size_t m = 0; m < k; m++) {
            double v = cs_bin_word(&chain[c], visits_of(m));
            double at = cs_bin_word(&chain[c], visits_of(m) + FIRST);
            visits[c * k + m] = v;
            first[c * k + m] = v > 0 ? at : (double)NAN;
        }
    }
}

/* Reports the number of jumps of all chains between each pair of modes. */
static void report_matrix(const cs_probe *p, const cs_lane_memory *chain,
                          size_t n, const char *prefix, cs_flat *out)
{
    size_t k = modes(p);
    double *to =
        has_matrix(k) ? cs_flat_array(out, k, k, "%smatrix", prefix) : NULL;
    for (size_t c = 0; to && c < n; c++)
        for (size_t i = 0; i < k * k; i++)
            to[i] += cs_bin_word(&chain[c], jumps_of(k, 0, i));
}

/* Returns the weight of a chain's visits to mode m, in draws. */
static double mass_of(const cs_lane_memory *chain, size_t m)
{
    double sum = 0;
    for (size_t i = 0; i < CS_BINS; i++)
        sum += cs_bin_word(chain, mass_bins(m) + i);
    return sum * cs_chain_weight_of(chain, 0).unit;
}

static void report_mass(const cs_probe *p, const cs_lane_memory *chain,
                        size_t n, const char *prefix, cs_flat *out)
{
    size_t k = modes(p);
    bool differ = cs_pool_weights(chain, n, 0).differ;
    double *mass = differ ? cs_flat_array(out, n, k, "%smass", prefix) : NULL;
    for (size_t c = 0; mass && c < n; c++)
        for (size_t m = 0; m < k; m++)
            mass[c * k + m] = mass_of(&chain[c], m);
}

/* Reports the distance of the fractions per mode from the exact probabilities.
 * The target must have no radius, so that every state belongs to its nearest
 * mode. */
static void report_distance(const cs_probe *p, const cs_lane_memory *chain,
                            size_t n, const char *prefix, cs_flat *out)
{
    const cs_exact *exact = &p->target->exact;
    size_t k = modes(p);
    double *sum = exact->shares && !(exact->mode_radius > 0)
                      ? cs_flat_array(out, 1, k, "%sall", prefix)
                      : NULL;
    double *to = sum ? cs_flat_array(out, 1, 2, "%stv", prefix) : NULL;
    double total = 0;
    for (size_t m = 0; to && m < k; m++) {
        for (size_t c = 0; c < n; c++)
            sum[m] += mass_of(&chain[c], m);
        total += sum[m];
    }
    cs_pooled_weight all = cs_pool_weights(chain, n, 0);
    if (to) {
        to[0] = cs_total_variation(sum, exact->mode_weight, k);
        to[1] = cs_total_variation_floor(exact->mode_weight, k,
                                         all.differ ? all.size : total);
    }
}

static void report_time(const cs_probe *p, const cs_lane_memory *chain,
                        size_t n, const char *prefix, cs_flat *out)
{
    size_t k = modes(p);
    uint64_t seen = n ? (uint64_t)cs_bin_word(&chain[0], SEEN) : 0;
    size_t used = cs_bins_used(seen);
    cs_bins_time(p, seen, cs_flat_array(out, 1, used, "%stime", prefix));
    double *share = cs_flat_array(out, k, used, "%sshares", prefix);
    for (size_t c = 0; share && c < n; c++) {
        double unit = cs_chain_weight_of(&chain[c], 0).unit;
        for (size_t m = 0; m < k; m++)
            for (size_t i = 0; i < used; i++)
                share[m * used + i] +=
                    cs_bin_word(&chain[c], mass_bins(m) + i) * unit;
    }
    for (size_t i = 0; share && i < used; i++) {
        double total = 0;
        for (size_t m = 0; m < k; m++)
            total += share[m * used + i];
        for (size_t m = 0; m < k; m++)
            share[m * used + i] =
                total > 0 ? share[m * used + i] / total : (double)NAN;
    }
}

static void report(const cs_probe *p, const cs_lane_memory *chain, size_t n,
                   const char *prefix, cs_flat *out)
{
    const cs_exact *exact = &p->target->exact;
    size_t k = modes(p), dim = p->target->space.dim;
    double *to = cs_flat_array(out, k, dim, "%scentres", prefix);
    if (to)
        memcpy(to, exact->modes, k * dim * sizeof *to);
    to = exact->mode_weight ? cs_flat_array(out, 1, k, "%sweight", prefix)
                            : NULL;
    if (to)
        memcpy(to, exact->mode_weight, k * sizeof *to);
    report_chains(p, chain, n, prefix, out);
    report_matrix(p, chain, n, prefix, out);
    report_mass(p, chain, n, prefix, out);
    report_distance(p, chain, n, prefix, out);
    report_time(p, chain, n, prefix, out);
}

const cs_probe_type CS_VARIANT(cs_probe_modes) = {
    .name = "modes",
    .title = "Modes",
    .help = "visits to the modes of the target: number and weight of the "
            "visits to each mode, its exact share if it is known, its first "
            "visits, and jumps between modes",
    .whole = true,
    .create = create,
    .observe = observe,
    .observe_series = observe_series,
    .events = events,
    .count = count,
    .report = report,
};
