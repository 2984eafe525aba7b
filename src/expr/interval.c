#include "expr/interval.h"

#include <float.h>

/* Error bounds. few: relative error of sums and products. some: relative error
 * of functions. little: absolute error of functions near their zeros. The
 * functions of the vector code and of the reference implementation differ by
 * less than 1 % of `some`. */
static const double few = 0x1p-48, some = 0x1p-38, little = 1e-12;

static double down(double v, double by)
{
    return v == 0 || isinf(v) ? v - by : v - fabs(v) * few - by;
}

static double up(double v, double by)
{
    return v == 0 || isinf(v) ? v + by : v + fabs(v) * few + by;
}

static cs_interval outward(double low, double high, double by)
{
    if (isnan(low) || isnan(high))
        return CS_NOWHERE;
    cs_interval y = {isinf(low) ? low : down(low, by),
                     isinf(high) ? high : up(high, by)};
    if (y.low == HUGE_VAL) /* summed in another order, the numbers might not
                              overflow */
        y.low = DBL_MAX;
    if (y.high == -HUGE_VAL)
        y.high = -DBL_MAX;
    return y;
}

static bool has_zero(cs_interval a)
{
    return a.low <= 0 && a.high >= 0;
}

static bool has_infinity(cs_interval a)
{
    return isinf(a.low) || isinf(a.high);
}

cs_interval cs_interval_hull(cs_interval a, cs_interval b)
{
    if (cs_interval_is_nowhere(a) || cs_interval_is_nowhere(b))
        return CS_NOWHERE;
    return (cs_interval){a.low < b.low ? a.low : b.low,
                         a.high > b.high ? a.high : b.high};
}

cs_interval cs_interval_meet(cs_interval a, cs_interval b)
{
    if (cs_interval_is_nowhere(a))
        return b;
    if (cs_interval_is_nowhere(b))
        return a;
    cs_interval y = {a.low > b.low ? a.low : b.low,
                     a.high < b.high ? a.high : b.high};
    return y.low <= y.high ? y : a;
}

/* ---- arithmetic ---------------------------------------------------------- */

/* Clips y at 0 if it is a sum of non-negative, or of non-positive, numbers. */
static cs_interval keep_sign(cs_interval y, bool positive, bool negative)
{
    if (positive && y.low < 0)
        y.low = 0;
    if (negative && y.high > 0)
        y.high = 0;
    return y;
}

/* Returns the largest finite |end|; rounding errors are relative to it. */
static double size_of(cs_interval a)
{
    double low = isinf(a.low) ? 0 : fabs(a.low);
    return fmax(low, isinf(a.high) ? 0 : fabs(a.high));
}

static cs_interval add(cs_interval a, cs_interval b)
{
    if ((a.high == HUGE_VAL && b.low == -HUGE_VAL) ||
        (a.low == -HUGE_VAL && b.high == HUGE_VAL))
        return CS_NOWHERE;
    double most = cs_interval_most(a) + cs_interval_most(b);
    cs_interval y =
        outward(a.low + b.low, a.high + b.high, isinf(most) ? 0 : most * few);
    return keep_sign(y, a.low >= 0 && b.low >= 0, a.high <= 0 && b.high <= 0);
}

static cs_interval negative(cs_interval a)
{
    return (cs_interval){-a.high, -a.low};
}

/* Encloses the values p, q, r, s at the four corners. A computed product that
 * underflows to 0 may be non-zero in another order of operations, unless a
 * factor is 0. */
static cs_interval corners(double p, double q, double r, double s)
{
    double low = fmin(fmin(p, q), fmin(r, s));
    double high = fmax(fmax(p, q), fmax(r, s));
    cs_interval y = outward(low, high, DBL_MIN);
    return keep_sign(y, low >= 0, high <= 0);
}

static bool is_zero(cs_interval a)
{
    return a.low == 0 && a.high == 0;
}

cs_interval cs_interval_mul(cs_interval a, cs_interval b, bool same)
{
    if (cs_interval_is_nowhere(a) || cs_interval_is_nowhere(b) ||
        (!same && ((has_infinity(a) && has_zero(b)) ||
                   (has_infinity(b) && has_zero(a)))))
        return CS_NOWHERE;
    if (is_zero(a) || is_zero(b))
        return cs_interval_of(0);
    double p = a.low * a.low, q = a.high * a.high, r = has_zero(a) ? 0 : p;
    return same ? corners(p, q, r, r)
                : corners(a.low * b.low, a.low * b.high, a.high * b.low,
                          a.high * b.high);
}

static cs_interval divide(cs_interval a, cs_interval b)
{
    if (has_zero(b) || (has_infinity(a) && has_infinity(b)))
        return CS_NOWHERE;
    if (is_zero(a))
        return cs_interval_of(0);
    return corners(a.low / b.low, a.low / b.high, a.high / b.low,
                   a.high / b.high);
}

static cs_interval of_abs(cs_interval a)
{
    double p = fabs(a.low), q = fabs(a.high);
    return (cs_interval){has_zero(a) ? 0 : fmin(p, q), fmax(p, q)};
}

/* ---- powers -------------------------------------------------------------- */

/* Rounds a power outwards. The relative error of a power grows with the
 * logarithm of its value. */
static cs_interval of_power(double low, double high)
{
    if (isnan(low) || isnan(high))
        return CS_NOWHERE;
    double l = low != 0 && isfinite(low) ? fabs(log(fabs(low))) : 0;
    double h = high != 0 && isfinite(high) ? fabs(log(fabs(high))) : 0;
    return outward(low, high,
                   some * fmax(isfinite(low) ? fabs(low) * (1 + l) : 0,
                               isfinite(high) ? fabs(high) * (1 + h) : 0));
}

/* Encloses a^p for an integer p. */
static cs_interval whole_power(cs_interval a, double p)
{
    if (p == 0)
        return cs_interval_of(1);
    if (p < 0 && has_zero(a))
        return CS_NOWHERE;
    double u = pow(a.low, p), v = pow(a.high, p);
    if (fmod(p, 2) != 0)
        return of_power(fmin(u, v), fmax(u, v));
    cs_interval y = of_power(has_zero(a) ? 0 : fmin(u, v), fmax(u, v));
    return keep_sign(y, true, false);
}

/* Encloses a^b. Unless b is an integer, the extrema of b log a are at
 * corners. */
static cs_interval power(cs_interval a, cs_interval b)
{
    if (b.low == b.high && b.low == floor(b.low) && fabs(b.low) < 0x1p53)
        return whole_power(a, b.low);
    if (a.low < 0 || (a.low == 0 && b.low <= 0) || isinf(b.low) ||
        isinf(b.high))
        return CS_NOWHERE;
    double p = pow(a.low, b.low), q = pow(a.low, b.high);
    double r = pow(a.high, b.low), s = pow(a.high, b.high);
    cs_interval y =
        of_power(fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s)));
    return keep_sign(y, true, false);
}

/* ---- comparisons, choices ------------------------------------------------ */

static cs_interval truth(bool yes, bool no)
{
    return yes  ? cs_interval_of(1)
           : no ? cs_interval_of(0)
                : (cs_interval){0, 1};
}

/* Encloses a comparison. Every comparison with NaN is false. */
static cs_interval compare(cs_op op, cs_interval a, cs_interval b)
{
    if (cs_interval_is_nowhere(a) || cs_interval_is_nowhere(b))
        return truth(false, false);
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    return op == CS_OP_LT   ? truth(a.high < b.low, a.low >= b.high)
           : op == CS_OP_LE ? truth(a.high <= b.low, a.low > b.high)
                            : truth(same, apart);
}

static cs_interval choose(cs_interval a, cs_interval b, cs_interval c)
{
    if (a.low > 0 || a.high < 0)
        return b;
    if (a.low == 0 && a.high == 0)
        return c;
    return cs_interval_hull(b, c);
}

static cs_interval sign(cs_interval a)
{
    return (cs_interval){(a.low > 0) - (a.low < 0),
                         (a.high > 0) - (a.high < 0)};
}

/* ---- functions of one argument ------------------------------------------- */

/* Returns the absolute error of a function near its zeros. */
static double off_by(cs_op op)
{
    switch (op) {
    case CS_OP_SIN:
    case CS_OP_COS:
    case CS_OP_TAN:
    case CS_OP_LGAMMA:
    case CS_OP_DIGAMMA:
    case CS_OP_LOG_RISING:
    case CS_OP_DIGAMMA_RISING:
    case CS_OP_LOG_ADD_EXP:
    case CS_OP_LOG_SUM_EXP:
        return little;
    default:
        return 0;
    }
}

/* Widens an enclosure by the relative error `some`. */
static cs_interval known(cs_op op, double low, double high)
{
    if (isnan(low) || isnan(high) || low > high)
        return CS_NOWHERE;
    double by = off_by(op);
    return outward(isinf(low) ? low : low - fabs(low) * some - by,
                   isinf(high) ? high : high + fabs(high) * some + by, 0);
}

static cs_interval rising(cs_op op, cs_interval a)
{
    return known(op, cs_op_value(op, a.low, 0, 0),
                 cs_op_value(op, a.high, 0, 0));
}

static cs_interval falling(cs_op op, cs_interval a)
{
    return known(op, cs_op_value(op, a.high, 0, 0),
                 cs_op_value(op, a.low, 0, 0));
}

/* Returns true if a may contain 2 pi k + at for some integer k. */
static bool meets(cs_interval a, double at)
{
    double turn = 2 * M_PI, near = 1e-12 * (1 + cs_interval_most(a));
    double k = ceil((a.low - near - at) / turn);
    return at + k * turn <= a.high + near;
}

/* Encloses a sine wave with its maxima at 2 pi k + top. */
static cs_interval wave(cs_op op, cs_interval a, double top)
{
    if (has_infinity(a))
        return CS_NOWHERE;
    if (a.high - a.low >= 2 * M_PI || cs_interval_most(a) > 1e6)
        return (cs_interval){-1 - little, 1 + little};
    double p = cs_op_value(op, a.low, 0, 0), q = cs_op_value(op, a.high, 0, 0);
    return known(op, meets(a, top + M_PI) ? -1 : fmin(p, q),
                 meets(a, top) ? 1 : fmax(p, q));
}

/* Encloses the tangent on an interval between two poles. */
static cs_interval tangent(cs_interval a)
{
    if (has_infinity(a) || a.high - a.low >= M_PI ||
        cs_interval_most(a) > 1e6 || meets(a, M_PI / 2) || meets(a, -M_PI / 2))
        return CS_NOWHERE;
    return rising(CS_OP_TAN, a);
}

/* Position and value of the minimum of log Gamma. */
static const double gamma_at = 1.4616321449683623,
                    gamma_least = -0.12148629053584961;

static cs_interval log_gamma(cs_interval a)
{
    if (!(a.low > 0))
        return CS_NOWHERE;
    double p = lgamma(a.low), q = lgamma(a.high);
    bool inside = a.low <= gamma_at && gamma_at <= a.high;
    return known(CS_OP_LGAMMA, inside ? gamma_least : fmin(p, q), fmax(p, q));
}

/* Returns true if n!/x^(n+1), which approximates the n-th derivative of digamma
 * near 0, overflows in the reference implementation. */
static bool overflows(double n, double x)
{
    return lgamma(n + 1) - (n + 1) * log(x) > 690;
}

typedef enum shape { NONE, RISES, FALLS } shape;

/* Functions that are monotone for arguments from `from` on. */
static const struct monotone {
    shape shape;
    double from;
    bool pole; /* true if the function has a pole at 0, of at most the order of
                * the pole of trigamma */
} monotone[CS_OP_COUNT] = {
    [CS_OP_SQRT] = {RISES, 0, false},
    [CS_OP_EXP] = {RISES, -HUGE_VAL, false},
    [CS_OP_EXPM1] = {RISES, -HUGE_VAL, false},
    [CS_OP_LOG] = {RISES, 0, false},
    [CS_OP_LOG1P] = {RISES, -1, false},
    [CS_OP_TANH] = {RISES, -HUGE_VAL, false},
    [CS_OP_ATAN] = {RISES, -HUGE_VAL, false},
    [CS_OP_ERF] = {RISES, -HUGE_VAL, false},
    [CS_OP_NORMAL_CDF] = {RISES, -HUGE_VAL, false},
    [CS_OP_LOG_NORMAL_CDF] = {RISES, -HUGE_VAL, false},
    [CS_OP_NORMAL_RATIO] = {FALLS, -HUGE_VAL, false},
    [CS_OP_DIGAMMA] = {RISES, 0, true},
    [CS_OP_TRIGAMMA] = {FALLS, 0, true},
    [CS_OP_SOFTPLUS] = {RISES, -HUGE_VAL, false},
    [CS_OP_SIGMOID] = {RISES, -HUGE_VAL, false},
};

static cs_interval of_one(cs_op op, cs_interval a)
{
    const struct monotone *m = &monotone[op];
    if (m->shape) {
        if (a.low < m->from || (m->pole && overflows(1, a.low)))
            return CS_NOWHERE;
        return m->shape == RISES ? rising(op, a) : falling(op, a);
    }
    switch (op) {
    case CS_OP_ABS:
        return of_abs(a);
    case CS_OP_SIGN:
        return sign(a);
    case CS_OP_SIN:
        return wave(op, a, M_PI / 2);
    case CS_OP_COS:
        return wave(op, a, 0);
    case CS_OP_TAN:
        return tangent(a);
    case CS_OP_LGAMMA:
        return log_gamma(a);
    default:
        return CS_NOWHERE;
    }
}

/* ---- two arguments ------------------------------------------------------- */

/* Encloses the n-th derivative of digamma for x > 0: positive and decreasing
 * for odd n, negative and increasing for even n. */
static cs_interval polygamma(cs_interval n, cs_interval x)
{
    if (n.low != n.high || n.low != floor(n.low) || n.low < 0 || !(x.low > 0) ||
        overflows(n.low, x.low))
        return CS_NOWHERE;
    double p = cs_op_value(CS_OP_POLYGAMMA, n.low, x.low, 0);
    double q = cs_op_value(CS_OP_POLYGAMMA, n.low, x.high, 0);
    if (isnan(p + q))
        return CS_NOWHERE;
    return known(n.low == 0 ? CS_OP_DIGAMMA : CS_OP_POLYGAMMA, fmin(p, q),
                 fmax(p, q));
}

/* Encloses LOG_RISING or DIGAMMA_RISING. Both are monotone in a, and the sign
 * of d gives the direction. As a function of d, digamma(a + d) increases, but
 * log Gamma(a + d) first decreases and then increases. */
static cs_interval rising_by(cs_op op, cs_interval a, cs_interval d)
{
    /* true if cancellation may leave no correct digits of a + d */
    bool lost = a.low > 1e12 && a.low + d.low < 1;
    if (!(a.low > 0 && a.low + d.low > 0) || lost || has_infinity(a) ||
        has_infinity(d))
        return CS_NOWHERE;
    double p = cs_op_value(op, a.low, d.low, 0);
    double q = cs_op_value(op, a.low, d.high, 0);
    double r = cs_op_value(op, a.high, d.low, 0);
    double s = cs_op_value(op, a.high, d.high, 0);
    double low = fmin(fmin(p, q), fmin(r, s));
    double high = fmax(fmax(p, q), fmax(r, s));
    if (isnan(p + q + r + s))
        return CS_NOWHERE;
    for (int i = 0; op == CS_OP_LOG_RISING && i < 2; i++) {
        double at = i ? a.high : a.low, best = gamma_at - at;
        if (d.low <= best && best <= d.high)
            low = fmin(low, gamma_least - lgamma(at));
    }
    return known(op, low, high);
}

static cs_interval log_add_exp(cs_interval a, cs_interval b)
{
    return known(CS_OP_LOG_ADD_EXP,
                 cs_op_value(CS_OP_LOG_ADD_EXP, a.low, b.low, 0),
                 cs_op_value(CS_OP_LOG_ADD_EXP, a.high, b.high, 0));
}

static cs_interval of_two(cs_op op, cs_interval a, cs_interval b)
{
    switch (op) {
    case CS_OP_ADD:
        return add(a, b);
    case CS_OP_SUB:
        return add(a, negative(b));
    case CS_OP_MUL:
        return cs_interval_mul(a, b, false);
    case CS_OP_DIV:
        return divide(a, b);
    case CS_OP_POW:
        return power(a, b);
    case CS_OP_MAX:
        return (cs_interval){fmax(a.low, b.low), fmax(a.high, b.high)};
    case CS_OP_MIN:
        return (cs_interval){fmin(a.low, b.low), fmin(a.high, b.high)};
    case CS_OP_LOG_ADD_EXP:
        return log_add_exp(a, b);
    case CS_OP_LOG_RISING:
    case CS_OP_DIGAMMA_RISING:
        return rising_by(op, a, b);
    case CS_OP_POLYGAMMA:
        return polygamma(a, b);
    default:
        return CS_NOWHERE;
    }
}

cs_interval cs_interval_op(cs_op op, cs_interval a, cs_interval b,
                           cs_interval c)
{
    if (op == CS_OP_LT || op == CS_OP_LE || op == CS_OP_EQ || op == CS_OP_IS)
        return compare(op, a, b);
    if (op == CS_OP_WHERE)
        return choose(a, b, c);
    if (cs_interval_is_nowhere(a) ||
        (cs_ops[op].arity > 1 && cs_interval_is_nowhere(b)))
        return CS_NOWHERE;
    return cs_ops[op].arity > 1 ? of_two(op, a, b) : of_one(op, a);
}

/* ---- vectors ------------------------------------------------------------- */

cs_interval cs_interval_sum(const cs_interval *a, size_t n, size_t stride)
{
    double low = 0, high = 0, most = 0;
    bool positive = true, none_positive = true, above = false, below = false;
    for (size_t i = 0; i < n; i++) {
        cs_interval v = a[i * stride];
        if (cs_interval_is_nowhere(v))
            return CS_NOWHERE;
        low += v.low;
        high += v.high;
        most += size_of(v);
        positive = positive && v.low >= 0;
        none_positive = none_positive && v.high <= 0;
        above = above || v.high == HUGE_VAL;
        below = below || v.low == -HUGE_VAL;
    }
    if (above && below)
        return CS_NOWHERE;
    if (isinf(most))
        return (cs_interval){-HUGE_VAL, HUGE_VAL};
    double by = most * (few + (double)n * DBL_EPSILON);
    return keep_sign(outward(low, high, by), positive, none_positive);
}

/* Returns the log sum exp of the lower or the upper ends. */
static double log_sum_exp(const cs_interval *a, size_t n, bool upper)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, upper ? a[i].high : a[i].low);
    if (isinf(most))
        return most;
    for (size_t i = 0; i < n; i++)
        sum += exp((upper ? a[i].high : a[i].low) - most);
    return most + log(sum);
}

/* Encloses the norm; scales by the largest element, so that squares do not
 * overflow. */
static cs_interval norm(const cs_interval *a, size_t n)
{
    double most = 0, low = 0, high = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, cs_interval_most(a[i]));
    if (most == 0 || isinf(most))
        return (cs_interval){0, most};
    for (size_t i = 0; i < n; i++) {
        cs_interval size = of_abs(a[i]);
        low += size.low / most * (size.low / most);
        high += size.high / most * (size.high / most);
    }
    return known(CS_OP_NORM, most * sqrt(low), most * sqrt(high));
}

cs_interval cs_interval_reduce(cs_op op, const cs_interval *a, size_t n)
{
    cs_interval most = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < n; i++) {
        if (cs_interval_is_nowhere(a[i]))
            return CS_NOWHERE;
        most =
            (cs_interval){fmax(most.low, a[i].low), fmax(most.high, a[i].high)};
    }
    if (op == CS_OP_SUM)
        return cs_interval_sum(a, n, 1);
    if (op == CS_OP_NORM)
        return norm(a, n);
    if (op == CS_OP_LARGEST)
        return most;
    return known(op, log_sum_exp(a, n, false), log_sum_exp(a, n, true));
}
