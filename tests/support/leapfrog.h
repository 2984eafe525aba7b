/* The leapfrog, written once more for the tests. */
#ifndef TESTS_LEAPFROG_H
#define TESTS_LEAPFROG_H

#include "support/laws.h"

/* `n` leapfrogs of q and p ([dim][lanes]); `broken` uses the gradient at the
 * start for both half kicks. The change of U - p^2/2 per lane to change. */
void leapfrog(cs_block *at, double step, int n, bool broken, double *q,
              double *p, double *change);

/* log |det| of the map (q, p) -> (q', p') of one leapfrog at q and p[dim], by
 * central differences: 0 where phase space keeps its volume. */
double leapfrog_volume(cs_block *at, double step, bool broken, const double *q,
                       const double *p);

/* The law: a kernel's proposals and ratios are those of the leapfrog, from the
 * same momenta, and the leapfrog comes back when they are turned round. */
bool is_leapfrog(const setting *s, const points *p);

#endif
