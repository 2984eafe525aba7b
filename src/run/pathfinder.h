/* A start by a short climb: single-path Pathfinder. Of chains far below the
 * others: for all it is no gain (13 targets: as many effective draws per gradient
 * on eight, fewer on funnels and bananas, where all go to where it is narrow).
 *
 * From x quasi-Newton steps climb log p. At each point x' of the path, with its
 * slope g and the inverse Hessian H learned so far, there is a normal
 * approximation N(x' + H g, H); the one of the largest ELBO, the mean of
 * log p - log q over a few draws of it, gives the start: one of those draws, in
 * proportion to p / q.
 *
 * Zhang, Carpenter, Gelman and Vehtari, "Pathfinder: Parallel quasi-Newton
 * variational inference", 2022, algorithm 1. */
#pragma once

#include "target/eval.h"

enum { CS_PATHFINDER_GRADIENTS = 100, CS_PATHFINDER_DRAWS = 5 };

/* Whether it serves for a target: real, with a gradient of its own, and not too
 * wide. */
bool cs_pathfinder_fits(const cs_target *t);

/* From x[dim], where chain number `chain` is, to a draw: x[dim]; false, and x is
 * as it was: no approximation was found, or there is no memory. What it asks is
 * added to *work: up to CS_PATHFINDER_GRADIENTS gradients, and
 * CS_PATHFINDER_DRAWS log densities for each. Depends on seed, chain and x alone.
 * On the owner's thread; allocates. */
bool cs_pathfinder(const cs_target *t, uint64_t seed, uint64_t chain, double *x,
                   cs_work *work);
