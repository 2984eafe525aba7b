/* The leapfrog, written once more for the tests. */
#pragma once

#include "support/laws.h"

/* What kicks: the gradient; between the ends the force; the force at the start
 * too, which is not the same read from the end; or the gradient at the start
 * for both half kicks, which does not keep the volume. */
typedef enum leapfrog_kick {
    KICK_EXACT,
    KICK_SINGLE,
    KICK_LOPSIDED,
    KICK_ONE_GRADIENT
} leapfrog_kick;

/* `n` leapfrogs of q and p ([dim][lanes]). The change of log p - p^2/2 per lane to
 * change. */
void leapfrog(cs_block *at, double step, int n, leapfrog_kick kick, double *q,
              double *p, double *change);

/* log |det| of the map (q, p) -> (q', p') of n leapfrogs at q and p[dim], by
 * central differences: 0 where phase space keeps its volume. */
double leapfrog_volume(cs_block *at, double step, int n, leapfrog_kick kick,
                       const double *q, const double *p);

/* How far, at most, from its start a trajectory ends that is turned round. */
double leapfrog_astray(cs_block *at, double step, int n, leapfrog_kick kick,
                       const double *q, const double *p);

/* The law: a kernel's proposals and ratios are those of the leapfrog, from the
 * same momenta, and the leapfrog comes back when they are turned round. */
bool is_leapfrog(const setting *s, const points *p);
