/* Special functions on eight lanes, used only by expressions; see simd/vmath.h.
 *
 * The relative error is at most 1e-13 (digamma near its root: 4e-15 absolute),
 * also for large arguments. Lanes outside the range of the vector code
 * (unsupported signs, the sine of 1e6 and more) are computed one by one. */
#pragma once

#include "expr/graph.h"
#include "simd/vmath.h"

#define CS_SP_INLINE static inline __attribute__((always_inline))

/* Returns c[0] + c[1] u + ... with n coefficients. Sums even and odd powers
 * separately. */
CS_SP_INLINE cs_vd cs_sp_polynomial(cs_vd u, const double *c, int n)
{
    cs_vd w = u * u, even = cs_vset(c[(n - 1) & ~1]);
    cs_vd odd = cs_vset(c[(n - 2) | 1]);
#pragma GCC unroll 40
    for (int i = ((n - 1) & ~1) - 2; i >= 0; i -= 2)
        even = even * w + c[i];
#pragma GCC unroll 40
    for (int i = ((n - 2) | 1) - 2; i >= 0; i -= 2)
        odd = odd * w + c[i];
    return even + u * odd;
}

#define CS_SP_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static inline bool cs_sp_any(cs_vi mask)
{
    int64_t any = 0;
    for (int l = 0; l < CS_VECTOR; l++)
        any |= mask[l];
    return any != 0;
}

/* Returns y, except in the lanes where the mask is set: these lanes get the
 * value of the reference implementation. */
static inline cs_vd cs_sp_repair(cs_vi mask, cs_op op, cs_vd a, cs_vd b,
                                 cs_vd y)
{
    if (cs_sp_any(mask))
        for (int l = 0; l < CS_VECTOR; l++)
            if (mask[l])
                y[l] = cs_op_value(op, a[l], b[l], 0);
    return y;
}

/* Returns a_0 + a_1 z + ... + a_9 z^9, adding pairs of terms, then pairs of
 * sums. */
static inline cs_vd cs_vm_ten(cs_vd z, const double *a)
{
    cs_vd w = z * z, w2 = w * w;
    cs_vd p = cs_vfma(z, cs_vset(a[1]), cs_vset(a[0]));
    cs_vd q = cs_vfma(z, cs_vset(a[5]), cs_vset(a[4]));
    p = cs_vfma(w, cs_vfma(z, cs_vset(a[3]), cs_vset(a[2])), p);
    q = cs_vfma(w, cs_vfma(z, cs_vset(a[7]), cs_vset(a[6])), q);
    q = cs_vfma(w2, cs_vfma(z, cs_vset(a[9]), cs_vset(a[8])), q);
    return cs_vfma(w2, q, p);
}

/* Returns exp -|x| without a division: (exp r - 1 - r) / r^2 for |r| <= ln 2 /
 * 2 is approximated by a polynomial, interpolated at Chebyshev points. NaN
 * gives 0. */
static inline cs_vd cs_vexp_down(cs_vd x)
{
    static const double a[] = {
        0.5,
        0.16666666666666669,
        0.04166666666662413,
        0.008333333333330062,
        0.0013888888917213717,
        0.00019841269863053618,
        2.4801521295954376e-05,
        2.7557268459997064e-06,
        2.7620088445409746e-07,
        2.510038549551032e-08,
    };
    cs_vd down = cs_vmax(-cs_vabs(x), cs_vset(-746.0));
    cs_vd shifted =
        cs_vfma(down, cs_vset(1.44269504088896338700), cs_vset(0x1.8p52));
    cs_vd k = shifted - 0x1.8p52;
    cs_vd r = cs_vfma(k, cs_vset(-CS_VM_LN2_HI), down);
    r = cs_vfma(k, cs_vset(-CS_VM_LN2_LO), r);
    return cs_vm_scale(1.0 + cs_vfma(r * r, cs_vm_ten(r, a), r), shifted);
}

/* Returns 1 / (1 + exp -x) from e = exp -|x|, q = 1 / (u d), u = 1 + e, d = 2 +
 * e. */
static inline cs_vd cs_vm_bend(cs_vd x, cs_vd e, cs_vd d, cs_vd q)
{
    cs_vi below = cs_vless(x, cs_vset(0.0));
    cs_vd y = cs_vselect(below, e, cs_vset(1.0)) * (d * q);
    return cs_vselect(cs_vunknown(x), x, y);
}

/* Computes the sigmoid as cs_vlogistic does, bit for bit, but not the
 * softplus. */
static inline cs_vd cs_vlogistic_sigmoid(cs_vd x, cs_vd e)
{
    cs_vd d = 2.0 + e;
    return cs_vm_bend(x, e, d, 1.0 / ((1.0 + e) * d));
}

/* Computes log(1 + exp x) and 1 / (1 + exp -x) from e = exp -|x| with one
 * division, q = 1 / ((1 + e) (2 + e)):
 *     1 / (1 + e) = (2 + e) q,    log(1 + e) = 2 artanh s,  s = (1 + e) q e.
 * For 0 <= s <= 1/3, (2 artanh s - 2 s) / s^3 is approximated by a polynomial
 * in s^2. Errors are at most about 2.5 units in the last place. Two passes over
 * a vector, the first for e, are faster than one, because each pass has a
 * shorter chain of dependent operations between load and store. */
static inline void cs_vlogistic(cs_vd x, cs_vd e, cs_vd *softplus,
                                cs_vd *sigmoid)
{
    static const double a[] = {
        0.6666666666666666,  0.40000000000014585, 0.2857142856710876,
        0.2222222271742795,  0.1818178943612947,  0.15385570065036416,
        0.1331414420857559,  0.12001072818488293, 0.08800738446041402,
        0.16164045688037065,
    };
    cs_vd u = 1.0 + e, d = 2.0 + e, q = 1.0 / (u * d);
    cs_vd s = e * (u * q), z = s * s;
    cs_vd y = cs_vfma(s * z, cs_vm_ten(z, a), s + s);
    y = cs_vselect(cs_vless(e, cs_vset(0x1p-54)), e, y);
    *softplus = cs_vmax(x, cs_vset(0.0)) + y;
    *softplus = cs_vselect(cs_vunknown(x), x, *softplus);
    *sigmoid = cs_vm_bend(x, e, d, q);
}

/* Returns 1 where a mask is set, else 0. */
CS_SP_INLINE cs_vd cs_sp_truth(cs_vi mask)
{
    return cs_vselect(mask, cs_vset(1.0), cs_vset(0.0));
}

/* Evaluates the operation lane by lane with the reference implementation. */
CS_SP_INLINE cs_vd cs_sp_one_by_one(cs_op op, cs_vd a, cs_vd b)
{
    for (int k = 0; k < CS_VECTOR; k++)
        a[k] = cs_op_value(op, a[k], b[k], 0);
    return a;
}

/* ---- log sums (see cs_op_log_sum_exp) ------------------------------------ */

/* Returns exp(x - most). For an infinite `most`, returns 1 if x equals it, else
 * 0. */
CS_SP_INLINE cs_vd cs_sp_share(cs_vd x, cs_vd most)
{
    cs_vi far = cs_vabs(most) == CS_VM_INF;
    return cs_vselect(far & (x == x), cs_sp_truth(x == most),
                      cs_vexp(x - most));
}

/* Returns most + log(sum), or `most` if it is infinite. */
CS_SP_INLINE cs_vd cs_sp_log_sum(cs_vd sum, cs_vd most)
{
    cs_vi far = cs_vabs(most) == CS_VM_INF;
    return cs_vselect(far & (sum == sum), most, most + cs_vlog(sum));
}

/* ---- angles -------------------------------------------------------------- */

#define CS_SP_FAR 1e6

/* Computes sine and cosine. Reduces x by multiples of a quarter turn, with pi/2
 * in three parts (those of fdlibm's e_rem_pio2). The products of the first two
 * parts with the number of quarters are exact. */
static inline void cs_sp_sincos(cs_vd x, cs_vd *sine, cs_vd *cosine)
{
    cs_vd shifted = x * 6.36619772367581382433e-01 + 0x1.8p52;
    cs_vd k = shifted - 0x1.8p52;
    cs_vd r =
        (x - k * 1.57079632673412561417e+00) - k * 6.07710050630396597660e-11;
    cs_vm_circle(r - k * 2.02226624879595063154e-21, (cs_vu)shifted, sine,
                 cosine);
    *sine = cs_vselect(x == 0.0, x, *sine);
}

static inline cs_vd cs_sp_sin(cs_vd x)
{
    cs_vd s, c;
    cs_sp_sincos(x, &s, &c);
    return cs_sp_repair(~(cs_vi)(cs_vabs(x) < CS_SP_FAR), CS_OP_SIN, x, x, s);
}

static inline cs_vd cs_sp_cos(cs_vd x)
{
    cs_vd s, c;
    cs_sp_sincos(x, &s, &c);
    return cs_sp_repair(~(cs_vi)(cs_vabs(x) < CS_SP_FAR), CS_OP_COS, x, x, c);
}

static inline cs_vd cs_sp_tan(cs_vd x)
{
    cs_vd s, c;
    cs_sp_sincos(x, &s, &c);
    return cs_sp_repair(~(cs_vi)(cs_vabs(x) < CS_SP_FAR), CS_OP_TAN, x, x,
                        s / c);
}

/* Returns the arctangent of x, with the argument reduction and the rational
 * function of atan.c in Moshier's Cephes library. */
static inline cs_vd cs_sp_atan(cs_vd x)
{
    cs_vd a = cs_vabs(x), one = cs_vset(1.0), zero = cs_vset(0.0);
    cs_vi big = a > 2.41421356237309504880, mid = a > 0.66;
    cs_vd y = cs_vselect(mid, a - 1.0, a) / cs_vselect(mid, a + 1.0, one);
    y = cs_vselect(big, -1.0 / a, y);
    cs_vd z = y * y;
    cs_vd p = -6.485021904942025371773e1 +
              z * (-1.228866684490136173410e2 +
                   z * (-7.500855792314704667340e1 +
                        z * (-1.615753718733365076637e1 +
                             z * -8.750608600031904122785e-1)));
    cs_vd q = 1.945506571482613964425e2 +
              z * (4.853903996359136964868e2 +
                   z * (4.328810604912902668951e2 +
                        z * (1.650270098316988542046e2 +
                             z * (2.485846490142306297962e1 + z))));
    cs_vd part = y + y * (z * p / q);
    cs_vd base = cs_vselect(mid, cs_vset(7.85398163397448309616e-1), zero);
    cs_vd rest = cs_vselect(mid, cs_vset(3.061616997868382943e-17), zero);
    base = cs_vselect(big, 2.0 * base, base);
    rest = cs_vselect(big, 2.0 * rest, rest);
    return cs_vselect(x == x, cs_vcopysign(base + (part + rest), x), x);
}

/* ---- the error function -------------------------------------------------- */

/* Coefficients of two polynomials: erf(x) / x in 2 x^2 - 1 for |x| < 1; and
 * log(erfc z) + z^2 - log t in 2 t - 1, t = 2 / (2 + z), for z >= 0.
 * Interpolated at Chebyshev nodes with 60 digits, then converted to powers. The
 * second form is from Schonfelder, Chebyshev expansions for the error and
 * related functions, 1978. */
static const double cs_sp_erf_near_c[] = {
    0.9654687386698673,     -0.1405360890227171,    0.019852496688983708,
    -0.0022854855611441132, 0.00021751715604159932, -1.7537169441124866e-05,
    1.223382738359897e-06,  -7.511569286591727e-08, 4.115800583208149e-09,
    -2.035228405815769e-10, 9.167619596865806e-12,  -3.8078824063194953e-13,
    1.4543887079465116e-14,
};

static const double cs_sp_log_erfcx_c[] = {
    -0.6717940840566923,     0.6726432239776567,     0.04734330684190473,
    -0.046895610231182674,   -0.009872689366406727,  0.008824938557327763,
    0.001758933558165434,    -0.002345812504982584,  -0.00014624686754045134,
    0.0006736788382506061,   -9.373500301998985e-05, -0.00017430319942974635,
    7.140089189099235e-05,   3.174616564355679e-05,  -3.0187528842243815e-05,
    1.3509102932957954e-07,  8.56191490492248e-06,   -2.9430926821341833e-06,
    -1.271343067023655e-06,  1.2437191416721655e-06, -1.6939237579995655e-07,
    -2.4404662375581676e-07, 1.538760666928522e-07,  -1.711069646695314e-09,
    -3.9356533447809914e-08, 1.2225710551260416e-08, 4.089222480896167e-09,
    -2.0464670329192375e-09,
};

static inline cs_vd cs_sp_log_erfcx(cs_vd t)
{
    return cs_sp_polynomial(2.0 * t - 1.0, cs_sp_log_erfcx_c,
                            CS_SP_COUNT(cs_sp_log_erfcx_c));
}

/* Returns x rounded to 26 bits, so that its square is exact. */
static inline cs_vd cs_sp_short(cs_vd x)
{
    return (cs_vd)((cs_vu)x & 0xfffffffff8000000u);
}

/* Returns erfc z for z >= 0 in full precision; scale * x^2 is z^2. */
static inline cs_vd cs_sp_erfc(cs_vd z, cs_vd x, double scale)
{
    cs_vd t = 2.0 / (2.0 + z), head = cs_sp_short(x);
    cs_vd a = -scale * (head * head);
    cs_vd b = cs_sp_log_erfcx(t) - scale * ((x - head) * (x + head));
    cs_vd s = a + b, v = s - a, lost = (a - (s - v)) + (b - v);
    cs_vd y = cs_vexp(s);
    return t * (y + y * lost);
}

static inline cs_vd cs_sp_erf(cs_vd x)
{
    cs_vd size = cs_vabs(x), z = cs_vselect(size > 7.0, cs_vset(7.0), size);
    cs_vd near = x * cs_sp_polynomial(2.0 * (x * x) - 1.0, cs_sp_erf_near_c,
                                      CS_SP_COUNT(cs_sp_erf_near_c));
    cs_vd far = cs_vcopysign(1.0 - cs_sp_erfc(z, z, 1), x);
    return cs_vselect(size < 1.0, near, cs_vselect(x == x, far, x));
}

/* Returns erfc(|x| / sqrt 2) / 2. */
static inline cs_vd cs_sp_normal_tail(cs_vd x)
{
    cs_vd size = cs_vabs(x), a = cs_vselect(size > 40.0, cs_vset(40.0), size);
    return 0.5 * cs_sp_erfc(a * 7.07106781186547524401e-01, a, 0.5);
}

static inline cs_vd cs_sp_normal_cdf(cs_vd x)
{
    cs_vd tail = cs_sp_normal_tail(x);
    return cs_vselect(x > 0.0, 1.0 - tail, tail);
}

static inline cs_vd cs_sp_log_normal_cdf(cs_vd x)
{
    cs_vi left = x < 0.0;
    cs_vd z = cs_vabs(x) * 7.07106781186547524401e-01, t = 2.0 / (2.0 + z);
    cs_vd l = cs_vlog1p(cs_vselect(left, 0.5 * z, -cs_sp_normal_tail(x)));
    cs_vd low =
        (cs_sp_log_erfcx(t) - 6.93147180559945309417e-01 - l) - 0.5 * (x * x);
    return cs_vselect(left, low, l);
}

/* Returns phi(x) / Phi(x). For negative x, both phi and Phi contain the factor
 * exp(-x^2 / 2), which is not computed because it cancels. */
static inline cs_vd cs_sp_normal_ratio(cs_vd x)
{
    cs_vd t = 2.0 / (2.0 + cs_vabs(x) * 7.07106781186547524401e-01);
    cs_vd left = 7.97884560802865355880e-01 / (t * cs_vexp(cs_sp_log_erfcx(t)));
    cs_vd bell = 3.98942280401432677940e-01 * cs_vexp(-0.5 * (x * x));
    return cs_vselect(x < 0.0, left, bell / (1.0 - cs_sp_normal_tail(x)));
}

/* ---- the Gamma function -------------------------------------------------- */

/* Coefficients of lgamma(x) / ((x - 1) (x - 2)) in x - 1.5 for 0.5 <= x <= 2.5,
 * computed like the coefficients above. */
static const double cs_sp_lgamma_near_c[] = {
    0.4831289505409809,      -0.14595989591430583,    0.06291140107456478,
    -0.031308487501067406,   0.016797098631223757,    -0.009425622444650915,
    0.005446457842053865,    -0.003212074198538216,   0.0019229162196216058,
    -0.0011644122714068628,  0.0007115208181216704,   -0.0004380205783034072,
    0.00027129374135693237,  -0.00016869401589715015, 0.00010549269809657414,
    -6.743473224993312e-05,  4.250985908493089e-05,   -2.1803257227647464e-05,
    1.3723685450072521e-05,  -2.468986927129392e-05,  1.5957794027278718e-05,
    2.8141630255130488e-05,  -1.845691300690695e-05,  -5.844445431085294e-05,
    3.8178099163486266e-05,  7.382110748332294e-05,   -4.825597921404937e-05,
    -7.312423284702706e-05,  4.7787656066484466e-05,  5.126458644743505e-05,
    -3.3502661283985834e-05, -2.493914094860726e-05,  1.6296072514480163e-05,
    7.445594391073656e-06,   -4.8647684897218406e-06, -1.0786087390802682e-06,
    7.045214140165398e-07,
};

/* For large arguments, lgamma, digamma and trigamma use Stirling's series and
 * its derivatives (Abramowitz and Stegun, 6.1.40, 6.3.18, 6.4.12). Smaller
 * arguments are first increased to at least 10 by the recurrences 6.1.15, 6.3.5
 * and 6.4.6. */
static inline cs_vd cs_sp_lgamma(cs_vd x)
{
    cs_vi low = x < 0.5, near = x <= 2.5;
    cs_vd y = cs_vselect(low, x + 1.0, cs_vselect(near, x, cs_vset(2.5)));
    cs_vd a = (y - 1.0) * (y - 2.0) *
              cs_sp_polynomial(y - 1.5, cs_sp_lgamma_near_c,
                               CS_SP_COUNT(cs_sp_lgamma_near_c));
    cs_vd far = cs_vselect(near, cs_vset(2.5), x), p = cs_vset(1.0);
    for (int i = 0; i < 8; i++) {
        cs_vi small = far < 10.0;
        p = cs_vselect(small, p * far, p);
        far = cs_vselect(small, far + 1.0, far);
    }
    cs_vd over = 1.0 / far, w = over * over;
    cs_vd series =
        1.0 / 12 +
        w * (-1.0 / 360 +
             w * (1.0 / 1260 +
                  w * (-1.0 / 1680 +
                       w * (1.0 / 1188 +
                            w * (-691.0 / 360360 +
                                 w * (1.0 / 156 + w * (-3617.0 / 122400)))))));
    cs_vd less = cs_vlog(cs_vselect(low, x, p));
    cs_vd high = (far - 0.5) * cs_vlog(far) - far +
                 (9.18938533204672741780e-01 + over * series) - less;
    cs_vd value = cs_vselect(low, a - less, cs_vselect(near, a, high));
    value = cs_vselect(x < CS_VM_INF, value, x);
    return cs_sp_repair(~(cs_vi)(x > 0.0), CS_OP_LGAMMA, x, x, value);
}

static inline cs_vd cs_sp_digamma(cs_vd x)
{
    cs_vd far = x, p = cs_vset(1.0), slope = cs_vset(0.0);
    for (int i = 0; i < 10; i++) {
        cs_vi small = far < 10.0;
        slope = cs_vselect(small, slope * far + p, slope);
        p = cs_vselect(small, p * far, p);
        far = cs_vselect(small, far + 1.0, far);
    }
    cs_vd over = 1.0 / far, w = over * over;
    cs_vd series =
        1.0 / 12 +
        w * (-1.0 / 120 +
             w * (1.0 / 252 +
                  w * (-1.0 / 240 + w * (1.0 / 132 + w * (-691.0 / 32760 +
                                                          w * (1.0 / 12))))));
    cs_vd y = cs_vlog(far) - (0.5 * over + w * series) - slope / p;
    return cs_sp_repair(~(cs_vi)(x > 1e-290), CS_OP_DIGAMMA, x, x, y);
}

static inline cs_vd cs_sp_trigamma(cs_vd x)
{
    cs_vd far = x, sum = cs_vset(0.0);
    for (int i = 0; i < 10; i++) {
        cs_vi small = far < 10.0;
        cs_vd over = 1.0 / far;
        sum = cs_vselect(small, sum + over * over, sum);
        far = cs_vselect(small, far + 1.0, far);
    }
    cs_vd over = 1.0 / far, w = over * over;
    cs_vd series =
        1.0 / 6 +
        w * (-1.0 / 30 +
             w * (1.0 / 42 +
                  w * (-1.0 / 30 +
                       w * (5.0 / 66 +
                            w * (-691.0 / 2730 +
                                 w * (7.0 / 6 + w * (-3617.0 / 510)))))));
    cs_vd y = sum + (over + (0.5 * w + over * (w * series)));
    return cs_sp_repair(~(cs_vi)(x > 1e-150), CS_OP_TRIGAMMA, x, x, y);
}

/* ---- two arguments ------------------------------------------------------- */

/* Returns a^b = exp(b log a) for a > 0. */
static inline cs_vd cs_sp_pow(cs_vd a, cs_vd b)
{
    cs_vi odd =
        ~((cs_vi)(a > 0.0) & (a < CS_VM_INF) & (cs_vabs(b) < CS_VM_INF));
    return cs_sp_repair(odd, CS_OP_POW, a, b, cs_vexp(b * cs_vlog(a)));
}

/* Returns log(exp a + exp b). */
static inline cs_vd cs_sp_log_add_exp(cs_vd a, cs_vd b)
{
    cs_vd most = cs_vselect(a < b, b, a);
    cs_vd off = a - b, y = most + cs_vlog1p(cs_vexp_down(off));
    y = cs_vselect(off == off, y, off);
    return cs_vselect(a == b, a + 6.93147180559945309417e-01, y);
}
