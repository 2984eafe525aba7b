/* path_auxiliary: changes several sites at once, along a path whose moves all
 * use the gradient at its start. R sites are drawn one after another without
 * replacement, each with a value, by the weights of locally_balanced at x,
 *
 *   q(path | x) = prod_r w_r(x) / (W(x) - W_{i_1}(x) - ... - W_{i_{r-1}}(x)),
 *   w_r(x) = b(grad log p(x) . (move r)),
 *   W_i: the sum of w over the moves of site i,  W: the sum over all sites
 *
 * and all moves are applied together, which gives y. The reverse path undoes
 * the moves in the opposite order, with the weights at y. The pair of state and
 * path is accepted with the Metropolis-Hastings probability
 *
 *   min(1, p(y) q(path back | y) / (p(x) q(path | x))).
 *
 * Sun, Dai, Xia and Ramamurthy, "Path auxiliary proposal for MCMC in discrete
 * space" (2022), in the fast form of DISCS (Goshvadi et al. 2023), which does
 * not recompute the weights along the path. Differences from DISCS: its program
 * keeps adding (acceptance - 0.574) to R after each step. Here R is the
 * parameter `sites`, which a tuner may find before draws are made. R need not
 * be an integer: 2.3 means 3 sites with probability 0.3, else 2 sites, whatever
 * the state. (For bits, R must not be an even integer, because the parity of
 * the sum of the bits would never change.) As in gwg, a move of an ordinal site
 * is within `radius`, and categorical values are ordered numbers or (coding =
 * one_hot) one bit per value, with exact differences.
 *
 * Paths are drawn by arrivals.h, from the logarithms of arrival times. The
 * denominators are summed from the end of a path, without cancellation, so no
 * weight is too small. If fewer than R sites can move, all of these sites
 * move. */
#include "kernel/accept.h"
#include "kernels/discrete/arrivals.h"
#include "kernels/discrete/langevin.h"
#include "kernels/discrete/neighbour_weights.h"

#include <math.h>
#include <string.h>

enum { SITES, BALANCING, RADIUS, CODING };

/* Returns the size of the gradient in doubles per lane. Memory: the gradient or
 * the differences at x. Scratch: y; the gradient or the differences at y; the
 * log weights of moves and of sites; arrival times; uniforms; the path, its
 * requested length and its actual length; the relative weights of moves. */
static size_t gradient_words(const cs_target *t, const double *values)
{
    return cs_coding_words(t, values[CODING]);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    return 5 * t->space.dim + gradient_words(t, values) +
           2 * cs_moves_of(&t->space) + 2;
}

typedef struct room {
    double *y, *known, *move, *site, *time, *uniform, *path, *wanted, *length;
    double *share; /* weight of each move, divided by the largest weight among
                      the moves of its site */
} room;

static room room_of(const cs_move *m)
{
    size_t n = m->lanes, d = m->dim * n;
    room r = {.y = m->scratch};
    r.known = r.y + d;
    r.move = r.known + cs_coding_rows(m, cs_coding_is_hot(m, CODING)) * n;
    r.site = r.move + cs_moves_of(m->space) * n;
    r.time = r.site + d;
    r.uniform = r.time + d;
    r.path = r.uniform + d;
    r.wanted = r.path + d;
    r.length = r.wanted + n;
    r.share = r.length + n;
    return r;
}

/* ---- weights ------------------------------------------------------------- */

static cs_vd log_add(cs_vd a, cs_vd b)
{
    cs_vd top = cs_vmax(a, b);
    cs_vd sum = top + cs_vlog1p(cs_vexp(-cs_vabs(a - b)));
    return cs_vselect((a == -CS_VM_INF) & (b == -CS_VM_INF), top, sum);
}

/* Computes the log weights of the moves of site i, whose rows start at `row`.
 * Also divides the weight of each move by the largest of these weights. Returns
 * the log weight of the site. */
static cs_vd weigh_site(const cs_neighbours *s, const room *r, size_t l,
                        size_t i, size_t row)
{
    size_t n = s->m->lanes, values = cs_moves_of(s->m->space) / s->m->dim;
    cs_vd radius = cs_load(s->radius + l), top = cs_vset(-CS_VM_INF);
    cs_vd sum = cs_vset(0);
    for (size_t v = 0; v < values; v++) {
        cs_vd w = cs_log_weight(s, l, i, v, row + v, s->function, radius);
        if (s->exact) /* moves to states with log p = NaN get weight 0 */
            w = cs_vselect(w == w, w, cs_vset(-CS_VM_INF));
        cs_store(r->move + (row + v) * n + l, w);
        top = cs_vmax(w, top);
    }
    if (values == 1)
        return cs_load(r->move + row * n + l);
    top = cs_vselect(top > -CS_VM_INF, top, cs_vset(0));
    for (size_t v = 0; v < values; v++) {
        cs_vd w = cs_vexp(cs_load(r->move + (row + v) * n + l) - top);
        cs_store(r->share + (row + v) * n + l, w);
        sum += w;
    }
    return top + cs_vlog(sum);
}

/* Computes the log weights of all moves and sites at state x. `known` is the
 * gradient or the differences at x. */
static void weigh(cs_move *m, const room *r, const double *x,
                  const double *known, size_t l)
{
    cs_neighbours s = {
        .m = m, .x = x, .known = known, .exact = cs_coding_is_hot(m, CODING)};
    size_t values = cs_moves_of(m->space) / m->dim;
    s.function = (int)cs_move_param(m, BALANCING)[0];
    s.radius = cs_move_param(m, RADIUS);
    for (size_t i = 0; i < m->dim; i++)
        cs_store(r->site + i * m->lanes + l,
                 weigh_site(&s, r, l, i, i * values));
}

/* Returns the log of the sum of weights over the sites that do not move. */
static cs_vd weight_at_rest(const cs_move *m, const room *r, size_t l)
{
    cs_vd top = cs_vset(-CS_VM_INF), sum = cs_vset(0);
    size_t end = m->dim * m->lanes;
    for (size_t at = l; at < end; at += m->lanes) {
        cs_vi rests = cs_load(m->x + at) == cs_load(r->y + at);
        cs_vd w = cs_load(r->site + at);
        top = cs_vmax(cs_vselect(rests, w, top), top);
    }
    top = cs_vselect(top > -CS_VM_INF, top, cs_vset(0));
    for (size_t at = l; at < end; at += m->lanes) {
        cs_vi rests = cs_load(m->x + at) == cs_load(r->y + at);
        cs_vd w = cs_vexp(cs_load(r->site + at) - top);
        sum += cs_vselect(rests, w, cs_vset(0));
    }
    return top + cs_vlog(sum);
}

/* ---- paths --------------------------------------------------------------- */

/* Returns the largest mean number of sites that move. This number is below dim,
 * because bits that all move in every step would alternate between two
 * states. */
static double max_sites(size_t dim)
{
    return fmax(1, (double)dim - 0.5);
}

/* Draws the number of sites that move in each lane. */
static void choose_length(cs_move *m, const room *r)
{
    const double most = max_sites(m->dim);
    cs_fill_uniform(&m->streams, CS_FOR_LENGTH, 1, r->wanted);
    for (size_t l = 0; l < m->lanes; l++) {
        double sites = fmin(cs_move_param(m, SITES)[l], most);
        double least = floor(sites);
        r->wanted[l] = least + (r->wanted[l] < sites - least);
    }
}

/* Returns the row of a move of one lane: site `i` takes the value v. */
static size_t row_of(const cs_move *m, size_t i, double v)
{
    if (m->space->kind == CS_BINARY)
        return i;
    return i * (size_t)m->space->values + (size_t)(v - m->space->low);
}

/* Returns the new value of site i in one lane: the last value with positive
 * weight for which the sum of the preceding weights is at most u times the
 * total. */
static double drawn_value(const cs_move *m, const room *r, size_t lane,
                          size_t i)
{
    size_t n = m->lanes, values = (size_t)m->space->values;
    double x = m->x[i * n + lane], v = x, below = 0, sum = 0;
    if (m->space->kind == CS_BINARY)
        return 1 - x;
    const double *w = r->share + i * values * n + lane;
    for (size_t k = 0; k < values; k++)
        sum += w[k * n];
    sum *= r->uniform[i * n + lane];
    for (size_t k = 0; k < values; k++)
        if (w[k * n] > 0) {
            v = below <= sum ? m->space->low + (double)k : v;
            below += w[k * n];
        }
    return v;
}

/* Draws the order in which the sites of eight lanes arrive, and fills the path
 * and its length. */
static void draw_path(const cs_move *m, const room *r, size_t l)
{
    size_t n = m->lanes;
    cs_vd able = cs_vset(0);
    for (size_t at = l; at < m->dim * n; at += n) {
        cs_vd w = cs_load(r->site + at);
        cs_store(r->time + at, cs_vlog(-cs_load(r->time + at)) - w);
        able += cs_vselect(w == -CS_VM_INF, cs_vset(0), cs_vset(1));
    }
    cs_store(r->length + l, cs_vmin(cs_load(r->wanted + l), able));
    for (size_t k = l; k < l + CS_VECTOR; k++)
        cs_arrivals(r->time + k, n, m->dim, (size_t)r->length[k], r->path + k);
}

/* Applies all moves of the path to y, in eight lanes. */
static void follow_path(const cs_move *m, const room *r, size_t l)
{
    size_t n = m->lanes;
    for (size_t k = l; k < l + CS_VECTOR; k++)
        for (size_t j = 0; j < (size_t)r->length[k]; j++) {
            size_t i = (size_t)r->path[j * n + k];
            r->y[i * n + k] = drawn_value(m, r, k, i);
        }
}

/* Returns the log weights of the site and of the move (to the value in `to`) at
 * step j of the path, in eight lanes. Both are 0 after the end of a path. */
static void step_weights(const cs_move *m, const room *r, size_t l, size_t j,
                         const double *to, cs_vd *site, cs_vd *move)
{
    size_t n = m->lanes;
    *site = *move = cs_vset(0);
    for (size_t k = 0; k < CS_VECTOR; k++) {
        if ((double)j >= r->length[l + k])
            continue;
        size_t i = (size_t)r->path[j * n + l + k], at = i * n + l + k;
        (*site)[k] = r->site[at];
        (*move)[k] = r->move[row_of(m, i, to[at]) * n + l + k];
    }
}

/* Returns log q of the path of moves to `to` in eight lanes. Uses the current
 * weights. Takes the moves in the order in which they were drawn, or in the
 * opposite order. Returns -HUGE_VAL if some move is impossible. */
static cs_vd score_path(const cs_move *m, const room *r, size_t l,
                        const double *to, bool opposite)
{
    cs_vd left = weight_at_rest(m, r, l), log_q = cs_vset(0), site, move;
    cs_vd length = cs_load(r->length + l);
    cs_vi never = (length < cs_load(r->wanted + l)) & (left > -CS_VM_INF);
    size_t longest = 0;
    for (size_t k = l; k < l + CS_VECTOR; k++)
        longest = (size_t)fmax((double)longest, r->length[k]);
    for (size_t j = 0; j < longest; j++) {
        size_t at = opposite ? j : longest - 1 - j;
        cs_vi on = (double)at < length;
        step_weights(m, r, l, at, to, &site, &move);
        left = cs_vselect(on, log_add(left, site), left);
        log_q += cs_vselect(on, move - left, cs_vset(0));
        never |= on & (move == -CS_VM_INF);
    }
    return cs_vselect(never, cs_vset(-CS_VM_INF), log_q);
}

/* ---- steps of the kernel ------------------------------------------------- */

static void init(cs_move *m)
{
    cs_langevin_evaluate(m, CS_NOW, cs_coding_is_hot(m, CODING), m->x,
                         m->info.logp, m->memory);
}

/* In eight lanes, draws a path from x, sets y to its end, and computes log q of
 * the path. */
static void propose(cs_move *m, const room *r, size_t l)
{
    weigh(m, r, m->x, m->memory, l);
    draw_path(m, r, l);
    follow_path(m, r, l);
    cs_store(m->info.log_q_forward + l, score_path(m, r, l, r->y, false));
}

static void step(cs_move *m)
{
    room r = room_of(m);
    m->info.proposal = r.y;
    memcpy(r.y, m->x, m->dim * m->lanes * sizeof *r.y);
    choose_length(m, &r);
    cs_fill_log_uniform(&m->streams, CS_FOR_PROPOSAL, m->dim, r.time);
    if (m->space->kind != CS_BINARY)
        cs_fill_uniform(&m->streams, CS_FOR_SITE, m->dim, r.uniform);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR)
        propose(m, &r, l);
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), r.y,
                         m->info.logp_proposal, r.known);
    for (size_t l = 0; l < m->lanes; l += CS_VECTOR) {
        weigh(m, &r, r.y, r.known, l);
        cs_store(m->info.log_q_back + l, score_path(m, &r, l, m->x, true));
    }
    cs_accept(m);
    cs_commit_moved(m->info.moved, m->lanes,
                    cs_coding_rows(m, cs_coding_is_hot(m, CODING)), r.known,
                    m->memory);
}

/* Returns the only site at which two states of a lane differ; dim if none or
 * several differ. */
static size_t site_between(const cs_move *m, const double *from,
                           const double *to, size_t lane)
{
    size_t site = m->dim;
    for (size_t i = 0; i < m->dim; i++) {
        if (from[i * m->lanes + lane] == to[i * m->lanes + lane])
            continue;
        if (site < m->dim)
            return m->dim;
        site = i;
    }
    return site;
}

/* Computes log q of a single move. For longer paths the result is NaN, because
 * the density of the end state, summed over all paths, is not tractable. */
static void log_q(cs_move *m, const double *from, const double *to, double *out)
{
    room r = room_of(m);
    size_t n = m->lanes;
    cs_langevin_evaluate(m, CS_NEXT, cs_coding_is_hot(m, CODING), from, out,
                         r.known);
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vd all = cs_vset(-CS_VM_INF);
        weigh(m, &r, from, r.known, l);
        for (size_t i = 0; i < m->dim; i++)
            all = log_add(all, cs_load(r.site + i * n + l));
        for (size_t k = 0; k < CS_VECTOR; k++) {
            size_t i = site_between(m, from, to, l + k);
            out[l + k] = -CS_VM_INF;
            if (i < m->dim)
                out[l + k] =
                    r.move[row_of(m, i, to[i * n + l + k]) * n + l + k] -
                    all[k];
            if (cs_move_param(m, SITES)[l + k] > 1)
                out[l + k] = CS_VM_NAN;
        }
    }
}

/* Rejects an even integer as the number of bits that flip per step. With such a
 * number, the parity of the sum of all bits would never change. */
static cs_status check(const cs_target *t, const double *values, cs_error *err)
{
    double sites = fmin(values[SITES], max_sites(t->space.dim));
    if (t->space.kind != CS_BINARY || fmod(sites, 2) != 0)
        return CS_OK;
    cs_fail(err, CS_RANGE,
            "path_auxiliary: if each step flips %g bits, the parity of the "
            "state never changes",
            sites);
    cs_hint(err, "use sites = %g, which flips %g bits half of the time",
            sites + 0.5, sites + 1);
    return CS_RANGE;
}

static const cs_param rows[] = {
    [SITES] =
        {.name = "sites",
         .unit = "sites",
         .flags = CS_PARAM_LOG | CS_PARAM_SIZE,
         CS_PARAM_RANGE(1, 1e6, 2.5),
         .help = "R, the mean number of sites on a path: R = 2.3 means 3 sites "
                 "with probability 0.3, otherwise 2. R is at most the "
                 "number of sites minus 1/2. For bits, R must not be an even "
                 "integer",
         .ref = "Sun et al. 2022, section 3"},
    [BALANCING] = CS_BALANCING_ROW,
    [RADIUS] = CS_RADIUS_ROW,
    [CODING] = CS_CODING_ROW("", NULL),
};

const cs_kernel_type CS_VARIANT(cs_kernel_path_auxiliary) = {
    .name = "path_auxiliary",
    .title = "Path auxiliary",
    .ref = "Sun, Dai, Xia and Ramamurthy, Path auxiliary proposal for MCMC in "
           "discrete space, 2022",
    .help = "Draws a path of several changes of sites, one after another, by "
            "the gradient's estimate of each change of log p. Proposes all "
            "changes together, and accepts or rejects them by the "
            "probability of the reverse path.",
    .spaces = CS_DISCRETE,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_ACCEPTS,
    CS_PARAM_TABLE(rows),
    .memory_words = gradient_words,
    .carried_words = gradient_words,
    .scratch_words = scratch_words,
    .check = check,
    .init = init,
    .step = step,
    .log_q = log_q,
};
