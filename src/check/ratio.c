/* Checks the ratio of a kernel that may have auxiliary variables but draws
 * none. Such a ratio is not an estimate. It must be exactly the
 * Metropolis-Hastings ratio,
 *
 *   log r(x, y) = log p(y) - log p(x) + log q(y, x) - log q(x, y).
 *
 * If the kernel has a log_q, the remaining terms are known. Otherwise, chains
 * in different states make one step with the same random numbers. If all of
 * them have the same displacement y - x at every try, then q(x, y) is a
 * function of that displacement (of its absolute value in a binary space). All
 * terms of the ratio except the change of log p are then functions of the
 * displacement too. These terms must be equal for all chains. One try is not
 * enough: a kernel that decides within its proposal may accept for all chains,
 * and then q includes that decision. */
#include "base/clock.h"
#include "base/memory.h"
#include "check/laws.h"

#include <math.h>
#include <string.h>

enum { LANES = CS_CHECK_LANES, ROUNDS = 16 };

typedef struct batch {
    cs_target *t;
    cs_block *b;
    const double *x; /* [places][dim] starting states; lane k uses row k mod
                      * places [borrowed] */
    size_t places;
    double *y, *logp; /* y: [LANES][dim]; logp: [2][LANES] before and after the
                       * step [own] */
} batch;

/* Reads the proposal of lane l. Returns false if the lane has no proposal that
 * can be compared. */
static bool read_proposal(batch *r, size_t l)
{
    const cs_block *b = r->b;
    const cs_info *i = &b->move.info;
    for (size_t d = 0; d < b->move.dim; d++)
        r->y[l * b->move.dim + d] = i->proposal[d * b->lanes + l];
    return b->failed[l] == 0 && isfinite(i->logp_change[l]) &&
           cs_space_contains(&r->t->space, r->y + l * b->move.dim, 1);
}

/* Returns the displacement from x to y in one coordinate. */
static double way(const cs_part *part, double x, double y)
{
    double by = y - x;
    if (part->kind == CS_BINARY)
        return fabs(by);
    return part->kind != CS_CONTINUOUS && by < 0 ? by + part->values : by;
}

/* Returns true if lanes a and b have the same displacement, up to rounding. */
static bool is_same_way(const batch *r, size_t a, size_t b)
{
    size_t dim = r->t->space.dim;
    const double *x = r->x + a % r->places * dim, *y = r->y + a * dim;
    const double *u = r->x + b % r->places * dim, *v = r->y + b * dim;
    bool same = true;
    for (size_t d = 0; d < dim; d++) {
        double size = fabs(x[d]) + fabs(y[d]) + fabs(u[d]) + fabs(v[d]);
        cs_part part = cs_space_part(&r->t->space, d);
        double off = way(&part, x[d], y[d]) - way(&part, u[d], v[d]);
        same &= fabs(off) <= 1e-12 * (1 + size);
    }
    return same;
}

/* Returns the log ratio of lane l minus the change of log p. */
static double rest_of(const batch *r, size_t l)
{
    const cs_info *i = &r->b->move.info;
    return i->log_aux[l] + i->logp_change[l] -
           (r->logp[LANES + l] - r->logp[l]);
}

static void note_rest(cs_ratio_rest *seen, const batch *r, size_t l,
                      size_t first, double rest)
{
    const cs_info *i = &r->b->move.info;
    double size = 1 + fabs(r->logp[l]) + fabs(r->logp[LANES + l]);
    seen->compared++;
    seen->has_log_q |= i->log_q_forward[l] != 0 || i->log_q_back[l] != 0;
    seen->same_way &= is_same_way(r, first, l);
    seen->scale = fmax(seen->scale, size);
    seen->most = fmax(seen->most, rest);
    seen->least = fmin(seen->least, rest);
}

/* Makes one step of all lanes. All lanes use equal random numbers. */
static void look(batch *r, cs_ratio_rest *seen)
{
    size_t dim = r->t->space.dim, first = LANES;
    cs_ratio_rest of = {.most = -HUGE_VAL, .least = HUGE_VAL, .same_way = true};
    bool diagnosed[LANES];
    for (size_t l = 0; l < LANES; l++)
        diagnosed[l] = read_proposal(r, l);
    for (size_t l = 0; l < LANES; l++) {
        const double *from = r->x + l % r->places * dim;
        if (!diagnosed[l]) /* without a proposal that can be compared, y is set
                              to a possible state */
            memcpy(r->y + l * dim, from, dim * sizeof *from);
        cs_enumeration_log_densities(r->t, from, 1, &r->logp[l]);
    }
    cs_enumeration_log_densities(r->t, r->y, LANES, r->logp + LANES);
    for (size_t l = 0; l < LANES; l++) {
        double rest = rest_of(r, l);
        if (!diagnosed[l] || !isfinite(rest))
            continue;
        first = first == LANES ? l : first;
        note_rest(&of, r, l, first, rest);
    }
    if (of.compared < 2)
        return;
    seen->compared += of.compared;
    seen->scale = fmax(seen->scale, of.scale);
    seen->has_log_q |= of.has_log_q;
    seen->off = fmax(seen->off, fmax(fabs(of.most), fabs(of.least)));
    seen->same_way &= of.same_way;
    if ((of.same_way || of.has_log_q) &&
        of.most - of.least >= seen->most - seen->least) {
        seen->most = of.most;
        seen->least = of.least;
    }
}

bool cs_check_ratio(cs_check *c, cs_target *t, const cs_arm_view *arm,
                    uint64_t seed, cs_ratio_rest *seen)
{
    batch r = {.t = t, .x = c->place, .places = c->places};
    double end = cs_clock_work() + 0.3 * c->seconds;
    *seen = (cs_ratio_rest){.same_way = true};
    r.b = cs_check_block(t, arm, seed, r.x, r.places);
    r.y = cs_alloc(LANES * (t->space.dim + 2), sizeof *r.y);
    bool good = r.b && r.y;
    r.logp = good ? r.y + LANES * t->space.dim : NULL;
    for (size_t l = 0; good && l < LANES; l++)
        r.b->chain[l] = r.b->chain[0];
    for (uint64_t k = 0; good && k < ROUNDS && cs_clock_work() < end; k++) {
        good = cs_check_repeat(r.b, seed + k, r.x, r.places);
        if (!good)
            break;
        cs_check_steps(r.b, arm, 1 + k, 1);
        if (r.b->move.info.proposal)
            look(&r, seen);
    }
    cs_block_destroy(r.b);
    cs_free(r.y);
    return good;
}
