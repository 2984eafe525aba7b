/* Functions on eight lanes that only expressions need; see base/vmath.h. */
#ifndef CS_TAPE_SPECIAL_H
#define CS_TAPE_SPECIAL_H

#include "base/vmath.h"

/* exp -|x|; NaN gives one. */
static inline cs_vd cs_vexp_down(cs_vd x)
{
    cs_vd size = cs_vabs(x), shifted;
    cs_vd down = cs_vselect(size > 746.0, cs_vset(-746.0), -size);
    cs_vd over_one = cs_vm_exp_parts(down, &shifted);
    return cs_vm_scale(1.0 + over_one, shifted);
}

/* log(1 + exp x) and 1 / (1 + exp -x) from e = exp -|x|. NaN gives NaN.
 * 1 + e = 2^k (1 + f), k 0 or 1, whose f and s = f / (2 + f) are had from e
 * itself, and s and 1 / (1 + e) from one division. Two passes over a vector,
 * e first, are quicker than one: each has a shorter way from load to store. */
static inline void cs_vlogistic(cs_vd x, cs_vd e, cs_vd *softplus,
                                cs_vd *sigmoid)
{
    cs_vi near = e < 0.41421356237309505;
    cs_vd k = cs_vselect(near, cs_vset(0.0), cs_vset(1.0)), n = e - k;
    cs_vd f = n * cs_vselect(near, cs_vset(1.0), cs_vset(0.5));
    cs_vd u = 1.0 + e, d = (e + 2.0) + k, over = 1.0 / (u * d);
    cs_vd s = n * (u * over), half = 0.5 * f * f;
    cs_vd low = s * (half + cs_vm_log_series(s * s)) + k * CS_VM_LN2_LO;
    cs_vd log_u = k * CS_VM_LN2_HI - ((half - low) - f);
    *softplus = cs_vselect(x > 0.0, x, cs_vset(0.0)) + log_u;
    *sigmoid = cs_vselect(x < 0.0, e, cs_vset(1.0)) * (d * over);
    *softplus = cs_vselect(x == x, *softplus, x);
    *sigmoid = cs_vselect(x == x, *sigmoid, x);
}

#endif
