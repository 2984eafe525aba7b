/* nuts: the No-U-Turn sampler with multinomial weights, as in Stan.
 *
 *   q ~ N(0, I), S = L L' is the metric, H(x, q) = -log p(x) + |q|^2 / 2;
 *   a leapfrog with step size e (`step`) in the direction v = 1 or -1:
 *     q += v e/2 L' grad log p(x);  x += v e L q;  q += v e/2 L' grad log p(x)
 *   the trajectory is doubled, each time to a random side, until its ends move
 *   towards each other, q_end . rho <= 0, where rho is the sum of its momenta,
 *   or until the ends of a subtree do; the new half is then discarded.
 *   A point of the trajectory is drawn with probability ~ exp(-H): directly
 *   within a half; between halves the new half is taken with probability
 *   min(1, its weight / the weight of the old half).
 *
 * Hoffman and Gelman, "The No-U-Turn Sampler" (2014), algorithms 2 and 3;
 * Betancourt, "A Conceptual Introduction to Hamiltonian Monte Carlo" (2017),
 * appendix A (the weights; rho instead of x_end - x_begin). As in Stan since
 * 2.21, two more pairs are checked where two halves join: an end of one half
 * with the adjacent point of the other. A trajectory ends as divergent if its
 * energy grows by more than 1000 nats.
 *
 * With momenta p and q = L' p, gradients and turns refer to z, x = L z, with
 * unit masses; p' S p = |q|^2.
 *
 * The code does not recurse: the leaves of a half follow one another, and leaf
 * n (from 0) closes k subtrees, where 2^k is the largest power of 2 that
 * divides n + 1 (n ends with k binary ones). The momenta at the ends of a
 * closed subtree and their sum are stored, one set per level. All chains of a
 * block are therefore at the same leaf of the same doubling, in their own
 * directions. Chains whose trajectory is complete wait; they are neither
 * evaluated nor counted. */
#include "kernel/step_row.h"
#include "kernels/real/gradient_step.h"
#include "kernels/real/trajectory.h"

#include <stdatomic.h>

enum { STEP, MAX_DEPTH };
enum { TREE_DEPTH, N_LEAPFROG, DIVERGENT, ENERGY };
enum { MOST_DEPTH = 15 };

/* Number of random numbers that are drawn together for each purpose. */
enum { DRAWN = 16 };

/* Arrays of dim numbers per lane. A point is stored as three arrays: x, q and
 * L' grad. */
enum {
    X, /* x of the current point */
    Q,
    SLOPE,
    GRADIENT, /* gradient of log p at x */
    ROOM,     /* work space for L q */
    EDGE_X,   /* both ends of the trajectory, backward and forward */
    EDGE_Q = EDGE_X + 2,
    EDGE_SLOPE = EDGE_Q + 2,
    PICK_X = EDGE_SLOPE + 2, /* point drawn from the new half */
    PICK_GRADIENT,
    DRAW_X, /* point drawn from the trajectory */
    DRAW_GRADIENT,
    RHO,        /* sum of momenta over the trajectory */
    OPEN_FIRST, /* first momentum of the subtree that ends at the current
                   point */
    OPEN_RHO,   /* sum of the momenta of the subtree that ends at the current
                   point */
    NEAR,       /* momentum at the end of the trajectory near the new half */
    FAR,   /* momentum at the end of the trajectory far from the new half */
    ODD_X, /* x of a point where log p was NaN or HUGE_VAL */
    /* first momenta, last momenta and sums of momenta of earlier subtrees, one
     * per level */
    CLOSED_FIRST,
    CLOSED_LAST = CLOSED_FIRST + MOST_DEPTH,
    CLOSED_RHO = CLOSED_LAST + MOST_DEPTH,
    ARRAYS = CLOSED_RHO + MOST_DEPTH
};

/* Rows of one number per lane. */
enum {
    LOGP, /* log p at the current point */
    START_ENERGY,
    PICK_LOGP,
    PICK_ENERGY,
    DRAW_LOGP,
    DRAW_ENERGY,
    WEIGHT, /* logs of sums of exp(start energy - energy) */
    HALF_WEIGHT,
    SIGN,       /* direction of growth: 1 (forward) or -1 */
    ACCEPTANCE, /* sum over the leaves of min(1, exp(start energy - energy)) */
    LEAVES,
    DEPTH,
    DIVERGES,
    ODD,     /* a NaN or infinite value of log p; 0: none was met */
    ALONG,   /* signed step size of this leapfrog */
    GROWS,   /* mask: the trajectory grows */
    GOOD,    /* mask: the new half of the trajectory is valid */
    TAKES,   /* mask: the current point is drawn */
    MOVED,   /* mask: the chain moves in this step */
    NUMBERS, /* random numbers: uniforms for directions, log uniforms for
                halves, log uniforms for leaves */
    ASKED = NUMBERS + 3 * DRAWN, /* bools: lanes that are not evaluated, then
                                    lanes that are evaluated */
    ROWS = ASKED + 2
};

typedef struct tree {
    cs_span s;
    size_t size; /* number of elements (doubles) in an array */
    double *array, *row;
    size_t lanes; /* number of elements (doubles) in a row */
} tree;

static inline double *array_of(const tree *t, size_t i)
{
    return t->array + i * t->size;
}

static inline double *row_of(const tree *t, size_t i)
{
    return t->row + i * t->lanes;
}

static inline cs_vi mask_of(const tree *t, size_t i, size_t l)
{
    return (cs_vi)cs_load(row_of(t, i) + l);
}

static inline void put_mask(const tree *t, size_t i, size_t l, cs_vi mask)
{
    cs_store(row_of(t, i) + l, (cs_vd)mask);
}

static size_t scratch_words(const cs_target *t, const double *values)
{
    (void)values;
    size_t arrays = ARRAYS * t->space.dim, packed = cs_packed_words(t, ARRAYS);
    return t->space.dim + ROWS + (arrays > packed ? arrays : packed);
}

static tree tree_of(const cs_move *m)
{
    bool packed = cs_eval_is_packed(m->eval);
    cs_span s = packed ? cs_span_packed(m) : cs_span_of(m);
    double *row = m->scratch + m->dim * m->lanes; /* the work space follows the
                                                     proposal */
    return (tree){.s = s,
                  .size = s.end,
                  .row = row,
                  .array = row + ROWS * m->lanes,
                  .lanes = m->lanes};
}

/* ---- arrays ---- */

/* Copies array `from` to `to` in the lanes where the mask is set. */
static void copy_where(const tree *t, size_t mask, size_t from, size_t to)
{
    const double *a = array_of(t, from);
    double *b = array_of(t, to);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi take = mask_of(t, mask, l);
        for (size_t at = l; at < t->s.end; at += t->s.by)
            cs_store(b + at,
                     cs_vselect(take, cs_load(a + at), cs_load(b + at)));
    }
}

static void copy(const tree *t, size_t from, size_t to)
{
    memcpy(array_of(t, to), array_of(t, from), t->size * sizeof(double));
}

/* Copies one array of a pair to array `to`, in each lane. If `near` is true,
 * takes the array of the end towards which the trajectory grows; otherwise, the
 * array of the other end. */
static void from_edge(const tree *t, size_t pair, bool near, size_t to)
{
    const double *back = array_of(t, pair), *forth = array_of(t, pair + 1);
    double *b = array_of(t, to);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vd sign = cs_load(row_of(t, SIGN) + l);
        cs_vi forward = cs_vless(cs_vset(0), near ? sign : -sign);
        for (size_t at = l; at < t->s.end; at += t->s.by)
            cs_store(b + at, cs_vselect(forward, cs_load(forth + at),
                                        cs_load(back + at)));
    }
}

/* In lanes where the new half is valid, copies array `from` to the array of the
 * end towards which the trajectory grows. */
static void to_edge(const tree *t, size_t from, size_t pair)
{
    const double *a = array_of(t, from);
    double *back = array_of(t, pair), *forth = array_of(t, pair + 1);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi good = mask_of(t, GOOD, l);
        cs_vi forward = cs_vless(cs_vset(0), cs_load(row_of(t, SIGN) + l));
        for (size_t at = l; at < t->s.end; at += t->s.by) {
            cs_vd x = cs_load(a + at);
            cs_store(back + at,
                     cs_vselect(good & ~forward, x, cs_load(back + at)));
            cs_store(forth + at,
                     cs_vselect(good & forward, x, cs_load(forth + at)));
        }
    }
}

static inline cs_vd squared(cs_vd a)
{
    return a * a;
}

static inline cs_vd kinetic(const tree *t, size_t l)
{
    const double *q = array_of(t, Q);
    cs_vd sum;
    CS_SPAN_SUM(sum, t->s, l, squared(cs_load(q + at)));
    return 0.5 * sum;
}

/* Returns the lanes where the scalar product of the momentum `end` and a + b is
 * positive. */
static inline cs_vi goes_along(const tree *t, size_t l, const double *end,
                               const double *a, const double *b)
{
    cs_vd sum;
    CS_SPAN_SUM(sum, t->s, l,
                cs_load(end + at) * (cs_load(a + at) + cs_load(b + at)));
    return cs_vless(cs_vset(0), sum);
}

/* A part of a trajectory: momenta at its ends, and the sum of its momenta. */
typedef struct part {
    const double *first, *last, *rho;
} part;

/* Returns the lanes where the parts a and b, with b after a, join without a
 * U-turn. */
static inline cs_vi joins(const tree *t, size_t l, part a, part b)
{
    return goes_along(t, l, a.first, a.rho, b.rho) &
           goes_along(t, l, b.last, a.rho, b.rho) &
           goes_along(t, l, a.first, a.rho, b.first) &
           goes_along(t, l, b.first, a.rho, b.first) &
           goes_along(t, l, a.last, b.rho, a.last) &
           goes_along(t, l, b.last, b.rho, a.last);
}

/* Adds array `from` to array `to`. */
static void add(const tree *t, size_t from, size_t to)
{
    const double *a = array_of(t, from);
    double *b = array_of(t, to);
    for (size_t at = 0; at < t->size; at += CS_VECTOR)
        cs_store(b + at, cs_load(b + at) + cs_load(a + at));
}

/* ---- random numbers ---- */

/* Returns random number i of a purpose for each lane: a uniform for slot 0,
 * otherwise a log uniform. Draws DRAWN numbers at a time. */
static const double *numbers(const cs_move *m, const tree *t,
                             cs_purpose purpose, size_t slot, size_t i)
{
    cs_shape shape = slot ? CS_LOG_UNIFORMS : CS_UNIFORMS;
    double *scratch = row_of(t, NUMBERS + slot * DRAWN);
    if (i % DRAWN == 0) {
        cs_streams s = m->streams;
        s.skip = i;
        if (t->s.packed)
            s = cs_streams_alone(&s, 0);
        cs_fill_shape(&s, purpose, shape, DRAWN, scratch);
    }
    return scratch + i % DRAWN * (t->s.packed ? 1 : t->lanes);
}

static inline cs_vd number_at(const tree *t, const double *number, size_t l)
{
    return t->s.packed ? cs_vset(*number) : cs_load(number + l);
}

/* ---- one leapfrog -------------------------------------------------------- */

/* Restricts the evaluation to lanes whose new half is valid. */
static void ask(cs_move *m, const tree *t)
{
    bool *not_asked = (bool *)(void *)row_of(t, ASKED);
    bool *asked = (bool *)(void *)row_of(t, ASKED + 1);
    for (size_t l = 0; l < t->lanes; l++) {
        asked[l] = ((const int64_t *)(const void *)row_of(t, GOOD))[l] != 0;
        not_asked[l] = !asked[l];
    }
    m->eval->failed = not_asked;
    cs_eval_ask(m->eval, asked);
}

static void ask_all(cs_move *m)
{
    m->eval->failed = m->failed;
    cs_eval_ask(m->eval, NULL);
}

static void evaluate(cs_move *m, const tree *t)
{
    double *x = array_of(t, X), *g = array_of(t, GRADIENT);
    if (t->s.packed) {
        cs_packed_gradient(m, x, row_of(t, LOGP), g);
        return;
    }
    ask(m, t);
    cs_eval_gradient(m->eval, CS_NEXT, x, row_of(t, LOGP), g);
    ask_all(m);
}

static void leapfrog(cs_move *m, const tree *t)
{
    const double *step = cs_move_param(m, STEP), *sign = row_of(t, SIGN);
    double *along = row_of(t, ALONG), *x = array_of(t, X);
    double *q = array_of(t, Q), *slope = array_of(t, SLOPE);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vd e = cs_load(step + l) * cs_load(sign + l);
        cs_store(along + l, cs_vselect(mask_of(t, GOOD, l), e, cs_vset(0)));
    }
    cs_trajectory_kick(t->s, 0.5, along, slope, q);
    cs_trajectory_drift(m->metric, t->s, along, q, array_of(t, ROOM), x, x);
    evaluate(m, t);
    cs_trajectory_slope(m->metric, t->s, array_of(t, GRADIENT), slope);
    cs_trajectory_kick(t->s, 0.5, along, slope, q);
}

/* ---- one half of a trajectory -------------------------------------------- */

/* Returns log(exp a + exp b). */
static inline cs_vd log_sum(cs_vd a, cs_vd b)
{
    cs_vd high = cs_vmax(a, b), low = cs_vmin(a, b);
    cs_vd sum = high + cs_vsoftplus(low - high);
    return cs_vselect(low == -CS_VM_INF, high, sum);
}

static inline void add_where(double *row, cs_vi mask, cs_vd by)
{
    cs_store(row, cs_load(row) + cs_vselect(mask, by, cs_vset(0)));
}

/* Records points where log p is NaN or HUGE_VAL, so that the failure can be
 * reported. */
static void note_odd(const tree *t)
{
    cs_vi any = {0};
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vd logp = cs_load(row_of(t, LOGP) + l);
        cs_vi odd = mask_of(t, GOOD, l) & ~(logp < CS_VM_INF);
        cs_vd *met = (cs_vd *)(row_of(t, ODD) + l);
        *met = cs_vselect(odd, logp, *met);
        put_mask(t, TAKES, l, odd);
        any |= odd;
    }
    if (cs_bytes_of(any))
        copy_where(t, TAKES, X, ODD_X);
}

/* Adds the weight of the current point, and tests whether the point diverges.
 * At random, makes this point the draw from its half of the trajectory; sets
 * TAKES in the lanes where the draw was replaced. Returns true if the draw was
 * replaced in any lane. */
static bool weigh(cs_move *m, const tree *t, size_t leaf, size_t number)
{
    cs_vi any = {0};
    const double *log_u = numbers(m, t, CS_FOR_AUXILIARY, 2, number);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi good = mask_of(t, GOOD, l);
        cs_vd logp = cs_load(row_of(t, LOGP) + l);
        cs_vd energy = kinetic(t, l) - logp;
        cs_vi odd = ~(logp < CS_VM_INF); /* log p is NaN, or the chain has
                                            failed */
        energy =
            cs_vselect(odd | (energy != energy), cs_vset(CS_VM_INF), energy);
        cs_vd weight = cs_load(row_of(t, START_ENERGY) + l) - energy;
        cs_vi diverges =
            good & ~cs_vless(cs_vset(-cs_trajectory_max_error), weight);
        cs_vd most = cs_vexp(cs_vmin(weight, cs_vset(0)));
        add_where(row_of(t, ACCEPTANCE) + l, good, most);
        add_where(row_of(t, LEAVES) + l, good, cs_vset(1));
        add_where(row_of(t, DIVERGES) + l, diverges, cs_vset(1));
        cs_vd *half = (cs_vd *)(row_of(t, HALF_WEIGHT) + l);
        *half = leaf ? log_sum(*half, weight) : weight;
        cs_vi take =
            good & ~diverges & cs_vless(number_at(t, log_u, l), weight - *half);
        take |= leaf ? (cs_vi){0} : good; /* the first point of a half is always
                                             drawn */
        cs_vd *pick = (cs_vd *)(row_of(t, PICK_LOGP) + l);
        *pick = cs_vselect(take, logp, *pick);
        pick = (cs_vd *)(row_of(t, PICK_ENERGY) + l);
        *pick = cs_vselect(take, energy, *pick);
        put_mask(t, TAKES, l, take);
        put_mask(t, GOOD, l, good & ~diverges);
        any |= take;
    }
    return cs_bytes_of(any) != 0;
}

/* Closes the subtrees that end at this leaf. Lanes where a subtree has a U-turn
 * become invalid. */
static void close_subtrees(const tree *t, size_t leaf)
{
    size_t level = 0;
    copy(t, Q, OPEN_FIRST);
    copy(t, Q, OPEN_RHO);
    const part b = {array_of(t, OPEN_FIRST), array_of(t, Q),
                    array_of(t, OPEN_RHO)};
    for (; leaf >> level & 1; level++) {
        const part a = {array_of(t, CLOSED_FIRST + level),
                        array_of(t, CLOSED_LAST + level),
                        array_of(t, CLOSED_RHO + level)};
        for (size_t l = 0; l < t->s.by; l += CS_VECTOR)
            put_mask(t, GOOD, l, mask_of(t, GOOD, l) & joins(t, l, a, b));
        add(t, CLOSED_RHO + level, OPEN_RHO);
        copy(t, CLOSED_FIRST + level, OPEN_FIRST);
    }
    copy(t, OPEN_FIRST, CLOSED_FIRST + level);
    copy(t, OPEN_RHO, CLOSED_RHO + level);
    copy(t, Q, CLOSED_LAST + level);
}

/* Returns whether a mask is set in any live lane. (Padding lanes are ignored,
 * because their gradients may be undefined and their trajectories may never
 * turn.) */
static bool any_of(const cs_move *m, const tree *t, size_t mask)
{
    const int64_t *lane = (const int64_t *)(const void *)row_of(t, mask);
    int64_t any = 0;
    for (size_t l = 0; l < m->live; l++)
        any |= lane[l];
    return any != 0;
}

/* Adds 2^depth points to the trajectory in each lane, at the end that SIGN
 * selects. Returns false if the step is abandoned. */
static bool grow_half(cs_move *m, const tree *t, size_t depth)
{
    size_t leaves = (size_t)1 << depth;
    from_edge(t, EDGE_X, true, X);
    from_edge(t, EDGE_Q, true, Q);
    from_edge(t, EDGE_SLOPE, true, SLOPE);
    for (size_t leaf = 0; leaf < leaves && any_of(m, t, GOOD); leaf++) {
        if (cs_trajectory_is_stopped(m))
            return false;
        leapfrog(m, t);
        note_odd(t);
        if (weigh(m, t, leaf, leaves - 1 + leaf)) {
            copy_where(t, TAKES, X, PICK_X);
            copy_where(t, TAKES, GRADIENT, PICK_GRADIENT);
        }
        close_subtrees(t, leaf);
    }
    return true;
}

/* ---- whole trajectory ---------------------------------------------------- */

/* Draws for each lane the side to which its trajectory grows. Marks the new
 * half as valid in lanes whose trajectory still grows. */
static void choose_sides(cs_move *m, const tree *t, size_t depth)
{
    const double *u = numbers(m, t, CS_FOR_LENGTH, 0, depth);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi forward = cs_vless(cs_vset(0.5), number_at(t, u, l));
        cs_store(row_of(t, SIGN) + l,
                 cs_vselect(forward, cs_vset(1), cs_vset(-1)));
        put_mask(t, GOOD, l, mask_of(t, GROWS, l));
    }
}

/* Draws between the halves: takes the point of the new half with probability
 * min(1, ratio of the weights). */
static void draw_between(cs_move *m, const tree *t, size_t depth)
{
    const double *log_u = numbers(m, t, CS_FOR_ACCEPT, 1, depth);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi good = mask_of(t, GOOD, l);
        cs_vd *whole = (cs_vd *)(row_of(t, WEIGHT) + l);
        cs_vd half = cs_load(row_of(t, HALF_WEIGHT) + l);
        cs_vi take = good & cs_vless(number_at(t, log_u, l), half - *whole);
        *whole = cs_vselect(good, log_sum(*whole, half), *whole);
        cs_vd *draw = (cs_vd *)(row_of(t, DRAW_LOGP) + l);
        *draw = cs_vselect(take, cs_load(row_of(t, PICK_LOGP) + l), *draw);
        draw = (cs_vd *)(row_of(t, DRAW_ENERGY) + l);
        *draw = cs_vselect(take, cs_load(row_of(t, PICK_ENERGY) + l), *draw);
        put_mask(t, TAKES, l, take);
        put_mask(t, MOVED, l, mask_of(t, MOVED, l) | take);
        add_where(row_of(t, DEPTH) + l, good, cs_vset(1));
    }
    copy_where(t, TAKES, PICK_X, DRAW_X);
    copy_where(t, TAKES, PICK_GRADIENT, DRAW_GRADIENT);
}

/* Joins the new half to the trajectory where it is valid. A trajectory with a
 * U-turn stops growing. */
static void join_half(const tree *t)
{
    from_edge(t, EDGE_Q, true, NEAR);
    from_edge(t, EDGE_Q, false, FAR);
    const part whole = {array_of(t, FAR), array_of(t, NEAR), array_of(t, RHO)};
    const part half = {array_of(t, OPEN_FIRST), array_of(t, Q),
                       array_of(t, OPEN_RHO)};
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR)
        put_mask(t, GROWS, l, mask_of(t, GOOD, l) & joins(t, l, whole, half));
    add(t, OPEN_RHO, RHO);
    to_edge(t, X, EDGE_X);
    to_edge(t, Q, EDGE_Q);
    to_edge(t, SLOPE, EDGE_SLOPE);
}

/* Starts a trajectory that consists of the current point, with a new
 * momentum. */
static void begin(cs_move *m, tree *t)
{
    double *q = array_of(t, Q), *x = array_of(t, X);
    double *g = array_of(t, GRADIENT);
    if (t->s.packed) {
        cs_pack_rows(m, m->x, x);
        cs_pack_rows(m, m->memory, g);
        cs_packed_normal(m, CS_NORMALS, q);
    } else {
        memcpy(x, m->x, t->size * sizeof *x);
        memcpy(g, m->memory, t->size * sizeof *g);
        cs_fill_normal(&m->streams, CS_FOR_PROPOSAL, m->dim, q);
    }
    cs_trajectory_slope(m->metric, t->s, g, array_of(t, SLOPE));
    for (size_t side = 0; side < 2; side++) {
        copy(t, X, EDGE_X + side);
        copy(t, Q, EDGE_Q + side);
        copy(t, SLOPE, EDGE_SLOPE + side);
    }
    copy(t, X, DRAW_X);
    copy(t, GRADIENT, DRAW_GRADIENT);
    copy(t, Q, RHO);
    memset(row_of(t, ACCEPTANCE), 0,
           (GROWS - ACCEPTANCE) * t->lanes * sizeof(double));
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vd logp = cs_load(m->info.logp + l);
        cs_vd energy = kinetic(t, l) - logp;
        cs_store(row_of(t, START_ENERGY) + l, energy);
        cs_store(row_of(t, DRAW_ENERGY) + l, energy);
        cs_store(row_of(t, DRAW_LOGP) + l, logp);
        cs_store(row_of(t, WEIGHT) + l, cs_vset(0));
        put_mask(t, GROWS, l, ~cs_load_bool(m->failed + l));
        put_mask(t, MOVED, l, (cs_vi){0});
    }
}

/* Grows the trajectories until all are complete. Returns false if the step is
 * abandoned. */
static bool grow(cs_move *m, const tree *t)
{
    size_t most = (size_t)cs_move_param(m, MAX_DEPTH)[0];
    for (size_t depth = 0; depth < most && any_of(m, t, GROWS); depth++) {
        choose_sides(m, t, depth);
        if (!grow_half(m, t, depth))
            return false;
        draw_between(m, t, depth);
        join_half(t);
    }
    return true;
}

/* Copies lane 0 to all lanes if there is a single chain. */
static void spread_rows(const cs_move *m, const tree *t)
{
    for (size_t i = 0; t->s.packed && i < NUMBERS; i++)
        for (size_t l = CS_VECTOR; l < m->lanes; l += CS_VECTOR)
            cs_store(row_of(t, i) + l, cs_load(row_of(t, i)));
}

/* Returns the lanes in which a NaN makes the chain fail. In other lanes a NaN
 * only ends the trajectory. */
static cs_vi ends_chain(const cs_move *m, cs_vd nan)
{
    if (m->strict)
        return ~(cs_vi){0};
    return (cs_vi)((cs_vi)nan == (int64_t)CS_BROKEN_DENSITY);
}

static void put_info(cs_move *m, const tree *t)
{
    cs_info *i = &m->info;
    double *stat = i->stat;
    size_t n = m->lanes;
    for (size_t l = 0; l < n; l += CS_VECTOR) {
        cs_vd odd = cs_load(row_of(t, ODD) + l);
        cs_vd logp = cs_load(row_of(t, DRAW_LOGP) + l);
        cs_vd leaves = cs_load(row_of(t, LEAVES) + l);
        cs_vi live = ~cs_load_bool(m->failed + l);
        cs_vi strange = odd != odd, endless = odd == CS_VM_INF;
        cs_vi ends = endless | (strange & ends_chain(m, odd));
        cs_vi moved = mask_of(t, MOVED, l) & live & ~ends;
        cs_store_bool(m->failed + l, endless | ~live);
        cs_store(i->logp_proposal + l,
                 cs_vselect(strange | endless, odd, logp));
        cs_store(i->log_ratio + l, cs_vselect(strange, odd, cs_vset(0)));
        cs_store(i->logp_change + l,
                 cs_vselect(moved, logp - cs_load(i->logp + l), cs_vset(0)));
        cs_store(i->logp + l, cs_vselect(moved, logp, cs_load(i->logp + l)));
        cs_store(i->log_q_forward + l, cs_vset(0));
        cs_store(i->log_q_back + l, cs_vset(0));
        cs_store(i->log_uniform + l, cs_vset(0));
        cs_store(i->accept_stat + l, cs_load(row_of(t, ACCEPTANCE) + l) /
                                         cs_vmax(leaves, cs_vset(1)));
        put_mask(t, TAKES, l, strange | endless);
        cs_store_bool(i->accepted + l, moved & ~strange);
        cs_store_bool(i->moved + l, moved);
        cs_store(stat + TREE_DEPTH * n + l, cs_load(row_of(t, DEPTH) + l));
        cs_store(stat + N_LEAPFROG * n + l, leaves);
        cs_store(stat + DIVERGENT * n + l, cs_load(row_of(t, DIVERGES) + l));
        cs_store(stat + ENERGY * n + l, cs_load(row_of(t, DRAW_ENERGY) + l));
    }
}

/* Sets the point that is displayed as the proposal: normally the point drawn
 * from the trajectory. If log p was invalid at some point, displays the invalid
 * point. */
static void put_proposal(cs_move *m, const tree *t)
{
    double *to = m->scratch, *odd = array_of(t, ODD_X);
    for (size_t l = 0; l < t->s.by; l += CS_VECTOR) {
        cs_vi strange = mask_of(t, TAKES, l);
        for (size_t at = l; at < t->s.end; at += t->s.by)
            cs_store(odd + at, cs_vselect(strange, cs_load(odd + at),
                                          cs_load(array_of(t, DRAW_X) + at)));
    }
    if (t->s.packed)
        cs_unpack_rows(m, odd, to);
    else
        memcpy(to, odd, t->size * sizeof *to);
    m->info.proposal = to;
}

/* Moves the chains to the drawn points. */
static void arrive(cs_move *m, const tree *t)
{
    put_info(m, t);
    put_proposal(m, t);
    if (t->s.packed && m->info.moved[0]) {
        cs_unpack_rows(m, array_of(t, DRAW_X), m->x);
        cs_unpack_rows(m, array_of(t, DRAW_GRADIENT), m->memory);
    } else if (!t->s.packed) {
        const bool *moved = m->info.moved;
        cs_commit_moved(moved, m->lanes, m->dim, array_of(t, DRAW_X), m->x);
        cs_commit_moved(moved, m->lanes, m->dim, array_of(t, DRAW_GRADIENT),
                        m->memory);
    }
    if (m->eval->target->cache_words) /* evaluates again, because the cache
                                         belongs to the last point that was
                                         evaluated */
        cs_eval_log_density(m->eval, CS_NOW, m->x, m->info.logp);
}

static void step(cs_move *m)
{
    tree t = tree_of(m);
    begin(m, &t);
    if (!grow(m, &t)) {
        m->gave_up = true;
        return;
    }
    spread_rows(m, &t);
    arrive(m, &t);
}

static const char *const stats[] = {
    [TREE_DEPTH] = "treedepth__",
    [N_LEAPFROG] = "n_leapfrog__",
    [DIVERGENT] = "divergent__",
    [ENERGY] = "energy__",
    NULL,
};

static const cs_param rows[] = {
    [STEP] = CS_STEP_ROW(0.1, "step size (time) of one leapfrog"),
    [MAX_DEPTH] = {.name = "max_depth",
                   .unit = "doublings",
                   .kind = CS_PARAM_INT,
                   .flags = CS_PARAM_SHARED,
                   CS_PARAM_RANGE(1, MOST_DEPTH, 10),
                   .help = "maximum number of doublings of a trajectory; n "
                           "doublings cost up to 2^n - 1 gradients"},
};

const cs_kernel_type CS_VARIANT(cs_kernel_nuts) = {
    .name = "nuts",
    .title = "No-U-Turn sampler",
    .ref = "Hoffman and Gelman, The No-U-Turn Sampler, 2014; Betancourt, A "
           "Conceptual Introduction to Hamiltonian Monte Carlo, 2017",
    .help =
        "Hamiltonian Monte Carlo (No-U-Turn sampler): doubles the trajectory "
        "until it turns back, and draws a point from the trajectory. The step "
        "size and the metric are found during warm-up.",
    .spaces = CS_CONTINUOUS,
    .flags = CS_KERNEL_EXACT | CS_KERNEL_REVERSIBLE | CS_KERNEL_GRADIENT |
             CS_KERNEL_METRIC | CS_KERNEL_ACCEPT_STAT | CS_KERNEL_UNEVEN,
    CS_PARAM_TABLE(rows),
    .acceptance = 0.8, /* the default value of Stan */
    .tuner = "window_adaptation",
    .length = "max_depth",
    .stats = stats,
    .memory_words = cs_gradient_memory,
    .scratch_words = scratch_words,
    .init = cs_gradient_init,
    .step = step,
};
