/* Finds a region that contains every state whose log density exceeds -infinity,
 * as far as the graph of the density shows. The search starts at the root and
 * derives the conditions for each argument to be finite. If a choice is between
 * a value and -infinity, its condition must select the value. A sum is finite
 * only if all of its parts are. If one side of a comparison is a number, it
 * limits the other side; the limit is passed on to arguments until it applies
 * to a coordinate, or to a sum of squares of all coordinates. Other nodes give
 * no information. */
#include "expr/intern.h"
#include "expr/region.h"

#include <math.h>

enum { DEPTH = 64 };

typedef struct support {
    cs_region *r;
    const cs_graph *g;
    int depth;
} support;

/* Widens a limit, since rounding may admit a state slightly beyond it. */
static double beyond(double limit, int way)
{
    return limit + way * (1e-12 * fabs(limit) + 1e-300);
}

static bool is_data(const support *s, cs_node a)
{
    return cs_graph_at(s->g, a)->op == CS_OP_DATA;
}

/* Returns true if all elements are the number v. */
static bool is_all(const support *s, cs_node a, double v)
{
    for (size_t i = 0; is_data(s, a) && i < cs_graph_size(s->g, a); i++)
        if (cs_graph_element(s->g, a, i) != v)
            return false;
    return is_data(s, a);
}

static cs_node arg(const support *s, cs_node a, size_t i)
{
    return cs_graph_arg(s->g, a, i);
}

/* ---- limits -------------------------------------------------------------- */

/* Returns true if a consists of consecutive coordinates of the state, and sets
 * *first to the index of the first one. */
static bool is_state(const support *s, cs_node a, size_t *first)
{
    const cs_graph_node *n = cs_graph_at(s->g, a);
    *first = n->op == CS_OP_SLICE ? n->extra : 0;
    return n->op == CS_OP_INPUT ||
           (n->op == CS_OP_SLICE && arg(s, a, 0) == cs_graph_input(s->g));
}

/* Returns true if a is the square of a node, which is stored in *of. */
static bool is_square(const support *s, cs_node a, cs_node *of)
{
    if (cs_graph_at(s->g, a)->op != CS_OP_MUL || arg(s, a, 0) != arg(s, a, 1))
        return false;
    *of = arg(s, a, 0);
    return true;
}

/* Returns true if a is a sum of squares, which cannot be negative. */
static bool is_squares(const support *s, cs_node a, int depth)
{
    cs_node of;
    uint32_t op = cs_graph_at(s->g, a)->op;
    if (op == CS_OP_ADD && depth < DEPTH)
        return is_squares(s, arg(s, a, 0), depth + 1) &&
               is_squares(s, arg(s, a, 1), depth + 1);
    return is_square(s, op == CS_OP_SUM ? arg(s, a, 0) : a, &of);
}

static void limit(support *s, cs_node a, size_t e, double most, int way);
static void limit_both(support *s, cs_node a, size_t e, double most);

/* Applies the limit |v| <= most, which limits the region to a ball if v is the
 * state. */
static void limit_norm(support *s, cs_node v, double most)
{
    size_t first, n = cs_graph_size(s->g, v);
    if (!(most >= 0))
        return;
    if (n == s->r->dim && is_state(s, v, &first))
        s->r->radius = fmin(s->r->radius, beyond(most, 1));
    for (size_t i = 0; i < n; i++)
        limit_both(s, v, i, most);
}

static void limit_total(support *s, cs_node a, double most)
{
    cs_node of;
    if (most >= 0 && is_square(s, a, &of))
        limit_norm(s, of, beyond(sqrt(most), 1));
}

static void limit_each(support *s, cs_node a, double most, int way)
{
    for (size_t i = 0; i < cs_graph_size(s->g, a); i++)
        limit(s, a, i, most, way);
}

/* Applies the limit |a| <= most to element e of a. */
static void limit_both(support *s, cs_node a, size_t e, double most)
{
    limit(s, a, e, most, 1);
    limit(s, a, e, -most, -1);
}

static void limit_product(support *s, cs_node a, size_t e, double most, int way)
{
    cs_node of;
    if (is_square(s, a, &of)) {
        if (way > 0 && most >= 0)
            limit_both(s, of, e, beyond(sqrt(most), 1));
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        double by = is_data(s, arg(s, a, i))
                        ? cs_graph_element(s->g, arg(s, a, i), e)
                        : 0;
        if (by != 0)
            limit(s, arg(s, a, 1 - i), e,
                  beyond(most / by, by > 0 ? way : -way), by > 0 ? way : -way);
    }
}

/* Derives a limit of one operand of a + sign b from a limit of the result. This
 * is possible if the other operand is constant. */
static void limit_sum(support *s, cs_node a, size_t e, double most, int way)
{
    int sign = cs_graph_at(s->g, a)->op == CS_OP_SUB ? -1 : 1;
    cs_node p = arg(s, a, 0), q = arg(s, a, 1);
    double slack = 0;
    if (way > 0 && is_squares(s, a, 0)) {
        limit(s, p, e, most, way);
        limit(s, q, e, most, way);
    }
    if (is_data(s, q)) {
        double by = cs_graph_element(s->g, q, e);
        slack = 1e-12 * (fabs(by) + fabs(most));
        limit(s, p, e, most - sign * by + way * slack, way);
    } else if (is_data(s, p)) {
        double by = cs_graph_element(s->g, p, e);
        slack = 1e-12 * (fabs(by) + fabs(most));
        limit(s, q, e, sign * (most - by) + sign * way * slack, sign * way);
    }
}

/* Derives limits of a function's argument from an upper limit of the function's
 * result. For these functions, a lower limit of the result gives no
 * information. */
static void limit_function(support *s, cs_node a, size_t e, double most)
{
    cs_node of = cs_graph_at(s->g, a)->count ? arg(s, a, 0) : 0;
    switch (cs_graph_at(s->g, a)->op) {
    case CS_OP_ABS:
        limit_both(s, of, e, most);
        break;
    case CS_OP_SQRT:
        limit(s, of, e, beyond(most * most, 1), 1);
        break;
    case CS_OP_LARGEST:
        limit_each(s, of, most, 1);
        break;
    case CS_OP_NORM:
        limit_norm(s, of, most);
        break;
    case CS_OP_SUM:
        limit_total(s, of, most);
        break;
    default:
        break;
    }
}

/* Applies a limit to element e of a. The element is at most `most` if way is 1,
 * and at least `most` if way is -1. */
static void limit(support *s, cs_node a, size_t e, double most, int way)
{
    size_t first;
    if (s->depth >= DEPTH || isnan(most))
        return;
    s->depth++;
    if (cs_graph_size(s->g, a) == 1)
        e = 0;
    if (is_state(s, a, &first)) {
        double to = beyond(most, way), *side;
        side = (way > 0 ? s->r->high : s->r->low) + first + e;
        *side = way > 0 ? fmin(*side, to) : fmax(*side, to);
        s->depth--;
        return;
    }
    uint32_t op = cs_graph_at(s->g, a)->op;
    if (op == CS_OP_ADD || op == CS_OP_SUB)
        limit_sum(s, a, e, most, way);
    else if (op == CS_OP_MUL)
        limit_product(s, a, e, most, way);
    else if (way > 0)
        limit_function(s, a, e, most);
    s->depth--;
}

/* ---- conditions ---------------------------------------------------------- */

/* Applies the condition a < b to element e, where a or b is a constant
 * number. */
static void compare(support *s, cs_node a, cs_node b, size_t e)
{
    if (is_data(s, b))
        limit(s, a, e, cs_graph_element(s->g, b, e), 1);
    else if (is_data(s, a))
        limit(s, b, e, cs_graph_element(s->g, a, e), -1);
}

static void holds(support *s, cs_node c, size_t e, bool yes);

/* A product of conditions (logical and) is true only if both conditions are
 * true. A maximum of conditions (logical or) is false only if both conditions
 * are false. In these two cases, both conditions are known and are applied.
 * Conditions are 0 or 1. */
static void holds_both(support *s, cs_node c, size_t e, bool yes)
{
    holds(s, arg(s, c, 0), e, yes);
    holds(s, arg(s, c, 1), e, yes);
}

/* Applies the condition that element e of c is not 0 (if `yes` is true) or is 0
 * (if `yes` is false). */
static void holds(support *s, cs_node c, size_t e, bool yes)
{
    if (s->depth >= DEPTH)
        return;
    s->depth++;
    if (cs_graph_size(s->g, c) == 1)
        e = 0;
    uint32_t op = cs_graph_at(s->g, c)->op;
    if (op == CS_OP_LT || op == CS_OP_LE)
        compare(s, arg(s, c, !yes), arg(s, c, yes), e);
    else if (yes ? op == CS_OP_MUL : op == CS_OP_MAX)
        holds_both(s, c, e, yes);
    else if (op == CS_OP_LARGEST && !yes)
        for (size_t i = 0; i < cs_graph_size(s->g, arg(s, c, 0)); i++)
            holds(s, arg(s, c, 0), i, false);
    s->depth--;
}

/* ---- densities ----------------------------------------------------------- */

static void visit(support *s, cs_node a)
{
    if (s->depth >= DEPTH)
        return;
    s->depth++;
    const cs_graph_node *n = cs_graph_at(s->g, a);
    if (n->op == CS_OP_WHERE) {
        bool none[2] = {is_all(s, arg(s, a, 1), -HUGE_VAL),
                        is_all(s, arg(s, a, 2), -HUGE_VAL)};
        for (size_t e = 0; (none[0] || none[1]) && e < n->size; e++)
            holds(s, arg(s, a, 0), e, none[1]);
        if (none[0] != none[1])
            visit(s, arg(s, a, none[0] ? 2 : 1));
    } else if (n->op == CS_OP_ADD) {
        visit(s, arg(s, a, 0));
        visit(s, arg(s, a, 1));
    } else if (n->op == CS_OP_SUB || n->op == CS_OP_SUM) {
        visit(s, arg(s, a, 0));
    }
    s->depth--;
}

void cs_region_support(cs_region *r, const cs_graph *g, cs_node logp)
{
    support s = {.r = r, .g = g};
    if (logp)
        visit(&s, logp);
    for (size_t i = 0; i < r->dim; i++)
        if (!(r->low[i] <= r->high[i])) { /* empty region: ignore the limits */
            r->low[i] = -HUGE_VAL;
            r->high[i] = HUGE_VAL;
        }
}
