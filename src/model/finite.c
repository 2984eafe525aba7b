/* Looks through gradients: compiled for each instruction set. */
#include "model/finite.h"

#include "base/vmath.h"
#include "model/eval.h"

static void mark(const double *g, size_t dim, size_t lanes, double *u)
{
    const cs_vd bad = (cs_vd)cs_vset_u(CS_BAD_GRADIENT);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd now = *(const cs_vd *)(u + l);
        cs_vi wrong = cs_vnot_finite(g, l, lanes, dim * lanes);
        wrong &= now * 0.0 == 0.0;
        *(cs_vd *)(u + l) = cs_vselect(wrong, bad, now);
    }
}

const cs_finite CS_VARIANT(cs_finite_gradients) = {.mark = mark};
