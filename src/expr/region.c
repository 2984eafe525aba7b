#include "expr/region.h"

#include "base/memory.h"

#include <math.h>

bool cs_region_create(size_t dim, cs_region *out)
{
    *out = (cs_region){dim, cs_alloc(dim, sizeof(double)),
                       cs_alloc(dim, sizeof(double)), HUGE_VAL};
    if (!out->low || !out->high) {
        cs_region_free(out);
        return false;
    }
    for (size_t i = 0; i < dim; i++) {
        out->low[i] = -HUGE_VAL;
        out->high[i] = HUGE_VAL;
    }
    return true;
}

void cs_region_free(cs_region *r)
{
    cs_free(r->low);
    cs_free(r->high);
    *r = (cs_region){0};
}

static bool has_box(const cs_region *r)
{
    for (size_t i = 0; i < r->dim; i++)
        if (isfinite(r->low[i]) || isfinite(r->high[i]))
            return true;
    return false;
}

bool cs_region_has_end(const cs_region *r)
{
    return isfinite(r->radius) || has_box(r);
}

static double square(const cs_region *r, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < r->dim; i++)
        sum += x[i] * x[i];
    return sum;
}

bool cs_region_contains(const cs_region *r, const double *x)
{
    for (size_t i = 0; i < r->dim; i++)
        if (!(r->low[i] <= x[i] && x[i] <= r->high[i]))
            return false;
    return square(r, x) <= r->radius * r->radius;
}

void cs_region_squeeze(const cs_region *r, double *x)
{
    for (size_t i = 0; i < r->dim; i++)
        x[i] = fmin(fmax(x[i], r->low[i]), r->high[i]);
    double length = sqrt(square(r, x));
    for (size_t i = 0; length > r->radius && i < r->dim; i++)
        x[i] *= 0.99 * r->radius / length;
}

/* Maps `uniform` to a cube inside the ball. If the box does not meet this cube
 * in some coordinate, x is at most 4 away from an end of the box in this
 * coordinate. */
void cs_region_start(const cs_region *r, const double *uniform, double *x)
{
    double half = fmin(2, 0.9 * r->radius / sqrt((double)r->dim));
    for (size_t i = 0; i < r->dim; i++) {
        double low = fmax(r->low[i], -half), high = fmin(r->high[i], half);
        if (!(low < high)) {
            low = fmax(r->low[i], r->high[i] - 4);
            high = fmin(r->high[i], low + 4);
        }
        x[i] = low + (high - low) * (0.05 + 0.9 * uniform[i]);
    }
    cs_region_squeeze(r, x);
}

/* Returns the node that is 1 if x is outside the box, else 0. */
static cs_node beyond_box(const cs_region *r, cs_graph *g, cs_node x)
{
    cs_node low = cs_graph_vector(g, r->low, r->dim);
    cs_node high = cs_graph_vector(g, r->high, r->dim);
    cs_node beyond =
        cs_graph_op2(g, CS_OP_MAX, cs_graph_op2(g, CS_OP_LT, x, low),
                     cs_graph_op2(g, CS_OP_LT, high, x));
    return cs_graph_op1(g, CS_OP_LARGEST, beyond);
}

static cs_node beyond_ball(const cs_region *r, cs_graph *g, cs_node x)
{
    cs_node most = cs_graph_number(g, r->radius * r->radius);
    cs_node sum = cs_graph_op1(g, CS_OP_SUM, cs_graph_op2(g, CS_OP_MUL, x, x));
    return cs_graph_op2(g, CS_OP_LT, most, sum);
}

cs_node cs_region_guard(const cs_region *r, cs_graph *g, cs_node x,
                        cs_node value)
{
    cs_node none = cs_graph_number(g, -HUGE_VAL);
    if (has_box(r))
        value = cs_graph_op3(g, CS_OP_WHERE, beyond_box(r, g, x), none, value);
    if (isfinite(r->radius))
        value = cs_graph_op3(g, CS_OP_WHERE, beyond_ball(r, g, x), none, value);
    return value;
}
