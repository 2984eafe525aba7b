/* Functions on eight lanes that only expressions need; see base/vmath.h. */
#ifndef CS_TAPE_SPECIAL_H
#define CS_TAPE_SPECIAL_H

#include "base/vmath.h"

/* a_0 + a_1 z + ... + a_9 z^9, in pairs of pairs. */
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

/* exp -|x| without a division: (exp r - 1 - r) / r^2 for |r| <= ln 2 / 2 is a
 * polynomial, its values at Chebyshev's points. NaN gives NaN. */
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

/* log(1 + exp x) and 1 / (1 + exp -x) from e = exp -|x| and one division,
 * q = 1 / ((1 + e) (2 + e)):
 *     1 / (1 + e) = (2 + e) q,    log(1 + e) = 2 artanh s,  s = (1 + e) q e,
 * (2 artanh s - 2 s) / s^3 for 0 <= s <= 1/3 being a polynomial in s^2. Errors
 * are at most about 2.5 units in the last place. Two passes over a vector, e
 * first, are quicker than one: each has a shorter way from load to store. */
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
    y = cs_vselect(e < 0x1p-54, e, y);
    *softplus = cs_vselect(x > 0.0, x, cs_vset(0.0)) + y;
    *sigmoid = cs_vselect(x < 0.0, e, cs_vset(1.0)) * (d * q);
    *softplus = cs_vselect(x == x, *softplus, x);
    *sigmoid = cs_vselect(x == x, *sigmoid, x);
}

#endif
