/* Starts by a short climb: single-path Pathfinder. Used for chains far below
 * the others; for all chains it gives no gain (13 targets: equal effective
 * draws per gradient on eight, fewer on funnels and bananas, where all chains
 * go to the narrow part).
 *
 * From x quasi-Newton steps climb log p. Each point x' of the path, with its
 * gradient g and the inverse Hessian H learned so far, gives a normal
 * approximation N(x' + H g, H). The approximation with the largest ELBO, the
 * mean of log p - log q over a few of its draws, gives the start: one of those
 * draws, chosen with probability proportional to p / q.
 *
 * Zhang, Carpenter, Gelman and Vehtari, "Pathfinder: Parallel quasi-Newton
 * variational inference", 2022, algorithm 1. */
#pragma once

#include "target/eval.h"

enum { CS_PATHFINDER_GRADIENTS = 100, CS_PATHFINDER_DRAWS = 5 };

/* True if it supports the target: real, with its own gradient, and not too
 * wide. */
bool cs_pathfinder_fits(const cs_target *t);

/* Replaces x[dim], the state of chain number `chain`, by a draw; false, with x
 * unchanged: no approximation was found, or out of memory. Adds its evaluations
 * to *work: up to CS_PATHFINDER_GRADIENTS gradients, and CS_PATHFINDER_DRAWS
 * log densities for each. Depends only on seed, chain and x. On the owner's
 * thread; allocates. */
bool cs_pathfinder(const cs_target *t, uint64_t seed, uint64_t chain, double *x,
                   cs_work *work);
