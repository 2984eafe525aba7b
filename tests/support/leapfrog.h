/* A second implementation of the leapfrog. */
#pragma once

#include "support/laws.h"

/* The slopes used for momentum updates. SINGLE uses the force at interior
 * points. LOPSIDED also uses the force at the start, so the trajectory is not
 * reversible. ONE_GRADIENT uses the gradient at the start for both half steps,
 * so the map does not preserve volume. */
typedef enum leapfrog_kick {
    KICK_EXACT,
    KICK_SINGLE,
    KICK_LOPSIDED,
    KICK_ONE_GRADIENT
} leapfrog_kick;

/* Makes n leapfrogs of q and p ([dim][lanes]); `change` receives the change of
 * log p - p^2/2 per lane. */
void leapfrog(cs_block *at, double step, int n, leapfrog_kick kick, double *q,
              double *p, double *change);

/* Returns log |det| of the map (q, p) -> (q', p') of n leapfrogs at q and
 * p[dim], by central differences. The result is 0 if volume is preserved. */
double leapfrog_volume(cs_block *at, double step, int n, leapfrog_kick kick,
                       const double *q, const double *p);

/* Returns the largest distance between the start of a trajectory and the end of
 * the reversed trajectory. */
double leapfrog_astray(cs_block *at, double step, int n, leapfrog_kick kick,
                       const double *q, const double *p);

/* Returns true if two conditions hold. First, a kernel's proposals and ratios
 * equal those of the leapfrog from the same momenta. Second, if the momenta are
 * reversed, the leapfrog returns to the start. */
bool is_leapfrog(const setting *s, const points *p);
