/* Laws of kernels whose state has auxiliary variables (theta_a). The proposal,
 * log_q and the joint distribution are compared with the formulas of
 * entropic.c. The law "record" checks that the record of a step contains the
 * log_q that is compared here. */
#include "base/memory.h"
#include "support/entropic.h"
#include "support/laws.h"
#include "support/support.h"

#include <string.h>

enum { LANES = LAW_CHAINS, STEPS = 4000 };

/* Returns the state x and the auxiliary variable a of lane l, from the rows of
 * x and a. */
static entropic_point point_of(const entropic *e, const points *p,
                               const double *x, const double *a, size_t lanes,
                               size_t l)
{
    double state[4], aux[ENTROPIC_ROWS] = {0};
    for (size_t i = 0; i < p->dim; i++)
        state[i] = x[i * lanes + l];
    for (size_t r = 0; r < entropic_rows(e, p); r++)
        aux[r] = a[r * lanes + l];
    return entropic_at(p, state, aux);
}

/* ---- the formula --------------------------------------------------------- */

/* Returns true if the probability flow between two random points is the same in
 * both directions. This makes the joint distribution stationary. */
static bool balance(const setting *s, const points *p)
{
    entropic e;
    uint64_t seed = 5;
    if (!entropic_of(s->formula, s->kernel.values, p->target->space.kind, &e))
        return false;
    for (int k = 0; k < 500; k++) {
        double x[2][4], a[2][ENTROPIC_ROWS] = {{0}};
        for (int j = 0; j < 2; j++) {
            points_draw(p, &seed, x[j]);
            for (size_t r = 0; r < entropic_rows(&e, p); r++)
                a[j][r] = e.glu && j ? a[0][r]
                                     : entropic_coordinate(&e, p, x[j], r) +
                                           2 * small_normal(&seed);
        }
        entropic_point from = entropic_at(p, x[0], a[0]);
        entropic_point to = entropic_at(p, x[1], a[1]);
        double here = entropic_log_joint(&e, p, &from);
        double there = entropic_log_joint(&e, p, &to);
        double q = entropic_log_q(&e, p, &from, &to);
        double back = entropic_log_q(&e, p, &to, &from);
        double ratio = e.adjusted ? there - here + back - q : HUGE_VAL;
        double flow = here + q + fmin(0, ratio);
        double flow_back = there + back + (e.adjusted ? fmin(0, -ratio) : 0);
        if (fabs(flow - flow_back) > 1e-12 * (1 + fabs(flow)))
            return false;
    }
    return true;
}

/* ---- the proposal -------------------------------------------------------- */

/* Returns true if steps from the same (x, a) in every lane agree with the
 * formula. The new states x' must have its frequencies, and a' - a minus its
 * drift must be normal. Gibbs-like kernels do not change a. */
static bool aux_proposals(const setting *s, const points *p)
{
    entropic e;
    double count[32] = {0}, want[32];
    const double a[ENTROPIC_ROWS] = {0.3, -0.8, 1.4,  0.1, 0.9, 1.2,
                                     0.4, -0.2, -1.1, 0.6, 0.2, -0.5};
    double first = 0, second = 0, n = 0;
    if (!entropic_of(s->formula, s->kernel.values, p->target->space.kind, &e))
        return false;
    cs_block *b = open_block(s, p->target, 21, LANES, p->x);
    entropic_point from = entropic_state(p, 0, a);
    double *start = cs_alloc(b->slab_words * b->lanes, sizeof(double));
    for (size_t r = 0; r < entropic_rows(&e, p); r++)
        for (size_t l = 0; l < b->lanes; l++)
            b->move.memory[r * b->lanes + l] = a[r];
    cs_block_save(b, start);
    bool good = true;
    for (size_t k = 0; k < STEPS; k++) {
        cs_block_load(b, start);
        one_step(s, b);
        const cs_info *i = &b->move.info;
        for (size_t l = 0; l < LANES; l++) {
            entropic_point to =
                point_of(&e, p, i->proposal, e.glu ? start : i->aux_proposal,
                         b->lanes, l);
            count[cs_space_index(&p->target->space, to.x, 1)]++;
            for (size_t c = 0; c < entropic_rows(&e, p) && !e.glu; c++, n++) {
                double x = entropic_coordinate(&e, p, from.x, c);
                double drift = e.step_a / 2 * (x - a[c]) / e.eta;
                double z = (to.a[c] - a[c] - drift) / sqrt(e.step_a);
                first += z;
                second += z * z;
            }
        }
    }
    for (size_t t = 0; t < p->n; t++) {
        want[t] = 1;
        for (size_t i = 0; i < p->dim; i++)
            want[t] *= entropic_site(&e, p, &from, i, p->x[t * p->dim + i]);
    }
    good &= cs_check_cells_p(count, want, p->n) > 1e-7;
    if (n > 0)
        good &= fabs(first / n) < 6 / sqrt(n) &&
                fabs(second / n - 1) < 6 * sqrt(2 / n);
    cs_free(start);
    cs_block_destroy(b);
    return good;
}

/* ---- log_q --------------------------------------------------------------- */

static bool near(double got, double want)
{
    return got == want || fabs(got - want) <= 1e-10 * (1 + fabs(want));
}

/* Returns true if the kernel's log_q for the move (x, a) -> (y, b) equals the
 * formula up to a constant. */
static bool aux_log_q(const setting *s, const points *p)
{
    entropic e;
    uint64_t seed = 6;
    double constant = 0;
    if (!entropic_of(s->formula, s->kernel.values, p->target->space.kind, &e))
        return false;
    cs_block *b = open_block(s, p->target, 0, 1, p->x);
    size_t n = b->lanes, half = p->dim * n, rows = entropic_rows(&e, p);
    double *from = cs_alloc(2 * (half + rows * n) + n, sizeof(double));
    double *to = from + half + rows * n, *out = to + half + rows * n;
    bool good = true;
    for (int k = 0; k < 100; k++) {
        double x[2][4];
        points_draw(p, &seed, x[0]);
        points_draw(p, &seed, x[1]);
        for (size_t at = 0; at < half; at++) {
            from[at] = x[0][at / n];
            to[at] = x[1][at / n];
        }
        for (size_t r = 0; r < rows; r++) {
            double z[2] = {small_normal(&seed), small_normal(&seed)};
            double near_x = entropic_coordinate(&e, p, x[0], r) + z[0];
            for (size_t l = 0; l < n; l++) {
                from[half + r * n + l] = near_x;
                to[half + r * n + l] = e.glu ? near_x : z[1];
            }
        }
        entropic_point a = point_of(&e, p, from, from + half, n, 0);
        entropic_point c = point_of(&e, p, to, to + half, n, 0);
        b->kernel->type->log_q(&b->move, from, to, out);
        double off = out[0] - entropic_log_q(&e, p, &a, &c) -
                     (entropic_log_joint(&e, p, &a) - a.logp);
        constant = k ? constant : off;
        good &= near(off, constant);
    }
    cs_free(from);
    cs_block_destroy(b);
    return good;
}

/* ---- the joint distribution ---------------------------------------------- */

/* Returns true if exact draws of (x, a) stay exact. The variable (a - x) /
 * sqrt(eta) must keep its moments and its correlations with x, within six
 * standard errors. */
static bool aux_stationarity(const setting *s, const points *p)
{
    enum { BATCHES = 250, MOVES = 4, SUMS = 4 };
    entropic e;
    double sum[SUMS] = {0}, square[SUMS] = {0}, n = 0;
    if (!entropic_of(s->formula, s->kernel.values, p->target->space.kind, &e))
        return false;
    cs_block *b = open_block(s, p->target, 23, LANES, p->x);
    uint64_t seed = 7;
    for (size_t k = 0; k < BATCHES; k++) {
        double x[LANES][4];
        const double *start[LANES];
        for (size_t l = 0; l < LANES; l++) {
            points_draw(p, &seed, x[l]);
            start[l] = x[l];
        }
        cs_check_reseed(b, 100 + k);
        assert_int_equal(cs_block_start(b, start, NULL), CS_OK);
        for (int i = 0; i < MOVES; i++)
            one_step(s, b);
        for (size_t l = 0; l < LANES; l++, n++) {
            entropic_point at =
                point_of(&e, p, b->move.x, b->move.memory, b->lanes, l);
            double x0 = entropic_coordinate(&e, p, at.x, 0);
            double z = (at.a[0] - x0) / sqrt(e.eta);
            double mean = 0;
            for (size_t i = 0; i < p->n; i++)
                mean += p->pi[i] * p->logp[i];
            const double term[SUMS] = {z, z * z - 1, z * (at.logp - mean),
                                       (z * z - 1) * (at.logp - mean)};
            for (size_t i = 0; i < SUMS; i++) {
                sum[i] += term[i];
                square[i] += term[i] * term[i];
            }
        }
    }
    cs_block_destroy(b);
    for (size_t i = 0; i < SUMS; i++)
        if (fabs(sum[i]) > 6 * sqrt(square[i]))
            return false;
    return true;
}

/* ---- reported rows ------------------------------------------------------- */

/* Returns true if the reported rows are a part of the memory and move with the
 * state. The names of these rows must be unique and must differ from the names
 * of the coordinates. */
static bool aux_names(const setting *s, const points *p)
{
    const cs_kernel *k = &s->kernel;
    size_t rows = cs_kernel_aux_rows(k, p->target);
    char name[64], last[64] = "";
    size_t end = cs_kernel_aux_first(k, p->target) + rows;
    bool good = rows > 0 && end <= cs_kernel_memory_words(k, p->target);
    for (size_t i = 0; i < rows; i++) {
        cs_kernel_aux_name(k, p->target, i, name, sizeof name);
        good &= name[0] && strcmp(name, last) != 0 && name[0] != 'x';
        memcpy(last, name, sizeof last);
    }
    cs_kernel_aux_name(k, p->target, rows, name, sizeof name);
    return good && name[0] == '\0';
}

/* ---- the list ------------------------------------------------------------ */

static bool any_aux(const cs_kernel_type *type)
{
    return type->aux;
}

static bool with_any_aux(const setting *s, const points *p)
{
    bool states = s->kernel.type->spaces & CS_DISCRETE;
    return any_aux(s->kernel.type) && (p->n > 0 || !states);
}

static bool has_aux(const cs_kernel_type *type)
{
    return is_entropic(type->name);
}

static bool with_aux(const setting *s, const points *p)
{
    return has_aux(s->kernel.type) && p->n > 0;
}

static bool has_exact_aux(const cs_kernel_type *type)
{
    return has_aux(type) && (type->flags & CS_KERNEL_EXACT);
}

static bool with_exact_aux(const setting *s, const points *p)
{
    return has_exact_aux(s->kernel.type) && p->n > 0;
}

const kernel_law aux_laws[] = {
    {"own balance", has_exact_aux, with_exact_aux, balance},
    {"own proposals", has_aux, with_aux, aux_proposals},
    {"own log q", has_aux, with_aux, aux_log_q},
    {"own stationarity", has_exact_aux, with_exact_aux, aux_stationarity},
    {"own names", any_aux, with_any_aux, aux_names},
    {NULL, NULL, NULL, NULL}};
