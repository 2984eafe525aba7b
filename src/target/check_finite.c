/* Checks gradients for finite values. Compiled for each instruction set.
 *
 * If log p is below -1e100, the gradient may overflow, for example because a
 * trajectory diverged or a scale is 1e-110. This is not an error of the
 * density. A proposal with such a log p is never accepted, so log p is replaced
 * by -HUGE_VAL. */
#include "target/check_finite.h"

#include "simd/vlanes.h"
#include "target/eval.h"

#include <math.h>
#include <string.h>

static const double abyss = -1e100;

/* Does the work of `mark` for a single lane, whose gradient g[dim] is
 * contiguous. */
static void mark_close(const double *g, size_t dim, double *logp)
{
    const cs_vu bad = cs_vset_u(CS_BAD_GRADIENT);
    cs_vi wrong = cs_vnot_finite(g, 0, CS_VECTOR, cs_pad_lanes(dim));
    for (size_t l = 0; l < CS_VECTOR; l++)
        if (wrong[l] && *logp < abyss)
            *logp = -HUGE_VAL;
        else if (wrong[l] && *logp * 0.0 == 0.0)
            memcpy(logp, &bad, sizeof *logp);
}

static void mark(const double *g, size_t dim, size_t lanes, double *logp)
{
    if (lanes == 1) {
        mark_close(g, dim, logp);
        return;
    }
    const cs_vd bad = (cs_vd)cs_vset_u(CS_BAD_GRADIENT);
    for (size_t l = 0; l < lanes; l += CS_VECTOR) {
        cs_vd now = *(const cs_vd *)(logp + l);
        cs_vi wrong = cs_vnot_finite(g, l, lanes, dim * lanes);
        wrong &= now * 0.0 == 0.0;
        cs_vd verdict = cs_vselect(now < abyss, cs_vset(-CS_VM_INF), bad);
        *(cs_vd *)(logp + l) = cs_vselect(wrong, verdict, now);
    }
}

static bool all(const double *g, size_t dim, size_t lanes)
{
    cs_vi wrong = cs_vnot_finite(g, 0, CS_VECTOR, dim * lanes);
    int64_t any = 0;
    for (int l = 0; l < CS_VECTOR; l++)
        any |= wrong[l];
    return !any;
}

static void keep(const bool *mark, size_t rows, size_t lanes,
                 const double *from, double *to)
{
    cs_commit_moved(mark, lanes, rows, from, to);
}

const cs_finite CS_VARIANT(cs_finite_gradients) = {
    .mark = mark, .all = all, .keep = keep};
