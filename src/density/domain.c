#include "density/domain.h"

#include <math.h>
#include <string.h>

static bool is_any(double x)
{
    (void)x;
    return true;
}

static bool is_real(double x)
{
    return x - x == 0;
}

static bool is_positive(double x)
{
    return x > 0 && x < HUGE_VAL;
}

static bool is_not_negative(double x)
{
    return x >= 0 && x < HUGE_VAL;
}

static bool is_unit(double x)
{
    return x >= 0 && x <= 1;
}

static bool is_inside(double x)
{
    return x > 0 && x < 1;
}

static bool is_correlation(double x)
{
    return x > -1 && x < 1;
}

static bool is_count(double x)
{
    return x >= 0 && x < HUGE_VAL && x == floor(x);
}

static bool is_whole(double x)
{
    return is_real(x) && x == floor(x);
}

static bool is_bit(double x)
{
    return x == 0 || x == 1;
}

static bool is_index(double x)
{
    return x >= 1 && x < HUGE_VAL && x == floor(x);
}

static cs_arg above_0(cs_calc *c, cs_arg x)
{
    return cs_calc_from(c, CS_OP_LT, 0, x);
}

static cs_arg at_least_0(cs_calc *c, cs_arg x)
{
    return cs_calc_from(c, CS_OP_LE, 0, x);
}

static cs_arg from_0_to_1(cs_calc *c, cs_arg x)
{
    cs_arg low = at_least_0(c, x);
    return cs_calc_op2(c, CS_OP_MUL, low, cs_calc_with(c, CS_OP_LE, x, 1));
}

static cs_arg between_0_and_1(cs_calc *c, cs_arg x)
{
    cs_arg low = above_0(c, x);
    return cs_calc_op2(c, CS_OP_MUL, low, cs_calc_with(c, CS_OP_LT, x, 1));
}

double cs_density_sum(cs_arg x)
{
    const double slack = 1e-8; /* as in Stan: shares with eight decimals */
    double sum = 0;
    for (size_t i = 0; i < x.size; i++)
        sum += x.v[i];
    return fabs(sum - 1) <= slack ? 1 : sum;
}

/* Nodes are not tested: parameters of this shape are simplexes. */
static cs_arg if_to_1(cs_calc *c, cs_arg x, cs_arg inside)
{
    return cs_is_known(x) && cs_density_sum(x) != 1
               ? cs_calc_with(c, CS_OP_MUL, inside, 0)
               : inside;
}

static cs_arg shares(cs_calc *c, cs_arg x)
{
    return if_to_1(c, x, from_0_to_1(c, x));
}

static cs_arg parts(cs_calc *c, cs_arg x)
{
    return if_to_1(c, x, between_0_and_1(c, x));
}

static cs_arg between_signs(cs_calc *c, cs_arg x)
{
    cs_arg low = cs_calc_from(c, CS_OP_LT, -1, x);
    return cs_calc_op2(c, CS_OP_MUL, low, cs_calc_with(c, CS_OP_LT, x, 1));
}

/* Returns 1 for each known element that has the property, else 0. */
static cs_arg known_inside(cs_calc *c, cs_arg x, bool (*has)(double x))
{
    double *v = cs_calc_numbers(c, x.size);
    for (size_t i = 0; v && i < x.size; i++)
        v[i] = has(x.v[i]);
    x.v = v;
    return v ? x : (cs_arg){0};
}

/* For a node this function tests only the sign; columns of data are checked
 * when they are read. */
static cs_arg counts(cs_calc *c, cs_arg x)
{
    return cs_is_known(x) && x.rank < 2 ? known_inside(c, x, is_count)
                                        : at_least_0(c, x);
}

/* Nodes are not tested: columns of data are checked when they are read. */
static cs_arg wholes(cs_calc *c, cs_arg x)
{
    return cs_is_known(x) ? known_inside(c, x, is_whole) : cs_calc_number(c, 1);
}

static cs_arg bits(cs_calc *c, cs_arg x)
{
    cs_arg zero = cs_calc_with(c, CS_OP_EQ, x, 0);
    return cs_calc_op2(c, CS_OP_ADD, zero, cs_calc_with(c, CS_OP_EQ, x, 1));
}

static const cs_density_domain domains[] = {
    {"any", NULL, is_any, NULL, NULL, false},
    {"real", "a finite number", is_real, NULL, NULL, false},
    {"positive", "above 0", is_positive, above_0, NULL, false},
    {"not_negative", "at least 0", is_not_negative, at_least_0, NULL, false},
    {"unit", "from 0 to 1", is_unit, from_0_to_1, NULL, false},
    {"inside", "above 0 and below 1", is_inside, between_0_and_1, NULL, false},
    {"share", "from 0 to 1", is_unit, shares, NULL, true},
    {"part", "above 0 and below 1", is_inside, parts, NULL, true},
    {"correlation", "above -1 and below 1", is_correlation, between_signs, NULL,
     false},
    {"count", "a whole number of at least 0", is_count, counts, "count", false},
    {"whole", "a whole number", is_whole, wholes, "whole", false},
    {"bit", "0 or 1", is_bit, bits, "bit", false},
    {"index", "a whole number of at least 1", is_index, NULL, "index", false},
};

const cs_density_domain *cs_density_domain_find(const char *name)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (!strcmp(domains[i].name, name))
            return &domains[i];
    return NULL;
}
