/* Functions on eight lanes that only expressions need; see base/vmath.h. */
#ifndef CS_TAPE_SPECIAL_H
#define CS_TAPE_SPECIAL_H

#include "base/vmath.h"

/* log(1 + exp x) and 1 / (1 + exp -x) from one exponential. NaN gives NaN. */
static inline void cs_vlogistic(cs_vd x, cs_vd *softplus, cs_vd *sigmoid)
{
    cs_vd size = cs_vabs(x), shifted;
    cs_vd down = cs_vselect(size > 746.0, cs_vset(-746.0), -size);
    cs_vd over_one = cs_vm_exp_parts(down, &shifted);
    cs_vd e = cs_vm_scale(1.0 + over_one, shifted);
    cs_vd u = 1.0 + e, over = 1.0 / u, f, k = cs_vm_log_split(u, &f);
    cs_vi near = k == 0.0;
    cs_vd lost = cs_vselect(near, cs_vset(0.0), (e - (u - 1.0)) * over);
    cs_vd log_u = cs_vm_log_tail(k, cs_vselect(near, e, f), lost);
    *softplus = cs_vselect(x > 0.0, x, cs_vset(0.0)) +
                cs_vselect(e < 0x1p-54, e, log_u);
    *sigmoid = cs_vselect(x < 0.0, e, cs_vset(1.0)) * over;
    *softplus = cs_vselect(x == x, *softplus, x);
    *sigmoid = cs_vselect(x == x, *sigmoid, x);
}

#endif
