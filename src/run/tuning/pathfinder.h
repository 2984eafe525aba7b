/* Uses single-path Pathfinder to find new starts for chains whose log p is far
 * below that of the others. There would be no benefit in using it for all
 * chains: in a test on 13 targets the ESS per gradient was equal on eight
 * targets, and smaller on funnels and bananas, where all chains moved to the
 * narrow part.
 *
 * Quasi-Newton steps from x increase log p. Each point x' of this path, with
 * its gradient g and the current estimate H of the inverse Hessian, defines a
 * normal approximation N(x' + H g, H). The approximation q with the largest
 * ELBO (the mean of log p - log q over a few draws from q) is used: the start
 * is one of these draws, chosen with probability proportional to p / q.
 *
 * Zhang, Carpenter, Gelman and Vehtari, "Pathfinder: Parallel quasi-Newton
 * variational inference", 2022, algorithm 1. */
#pragma once

#include "target/eval.h"

enum { CS_PATHFINDER_GRADIENTS = 100, CS_PATHFINDER_DRAWS = 5 };

/* Returns true if Pathfinder supports the target: real states, analytic
 * gradient, not too many dimensions. */
bool cs_pathfinder_fits(const cs_target *t);

/* Replaces x[dim], the state of chain number `chain`, by a draw from the best
 * approximation. Returns false, with x unchanged, if no approximation was found
 * or memory runs out. Adds its evaluations to *work: at most
 * CS_PATHFINDER_GRADIENTS gradients, and for each gradient at most
 * CS_PATHFINDER_DRAWS log densities. The result depends only on seed, chain and
 * x. Call it on the owner's thread; it allocates memory. */
bool cs_pathfinder(const cs_target *t, uint64_t seed, uint64_t chain, double *x,
                   cs_work *work);
