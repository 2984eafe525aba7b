/* The functions in the table of warnings (kinds.c), grouped by source file. */
#pragma once

#include "warn/warnings.h"

/* chains.c: chains and the design of the run. */
cs_warn_find cs_warn_stopped, cs_warn_broken_off, cs_warn_warming,
    cs_warn_damaged, cs_warn_cut, cs_warn_left_out, cs_warn_unequal,
    cs_warn_one_chain, cs_warn_one_place, cs_warn_ensemble, cs_warn_few_walkers;

/* trajectories.c: Hamiltonian trajectories. */
cs_warn_find cs_warn_divergent, cs_warn_deep, cs_warn_energy,
    cs_warn_not_finite;

/* step_size.c: step sizes. */
cs_warn_find cs_warn_step_large, cs_warn_step_small, cs_warn_stuck, cs_warn_box;
/* Returns the factor by which to multiply a step size in order to change the
 * acceptance from a to b. */
double cs_warn_step_factor(double a, double b, bool gradient);
/* Finds the acceptance rates 0 < low < best < high < 1 at which a kernel has
 * 80 % of the efficiency that it has at `best`. With a = 2 Phi(-z), the
 * efficiency is a z^k (k = 2 for a random walk, 2/3 with a gradient, in high
 * dimension; Roberts and Rosenthal 2001). The value of k is the one for which
 * the efficiency is highest at `best`. */
void cs_warn_good_acceptance(double best, double *low, double *high);

/* missed_modes.c: known modes, and temperature ladders. */
cs_warn_find cs_warn_modes_missed, cs_warn_modes_short, cs_warn_modes_apart,
    cs_warn_ladder_gap, cs_warn_ladder_idle;

/* method.c: bias of the kernel. */
cs_warn_find cs_warn_bias, cs_warn_partial, cs_warn_learning,
    cs_warn_all_learning, cs_warn_weightless, cs_warn_loose_bounds,
    cs_warn_adapting, cs_warn_unchecked, cs_warn_check;

/* evidence.c: evaluations of the target at the end of the run. */
cs_warn_find cs_warn_random, cs_warn_slope, cs_warn_edge, cs_warn_improper,
    cs_warn_resonance, cs_warn_metric;

/* exact.c: comparison with exact values and other arms. */
cs_warn_find cs_warn_heat, cs_warn_off, cs_warn_differs, cs_warn_arms_disagree,
    cs_warn_biased;

/* diagnosed_draws.c: diagnosed draws. */
cs_warn_find_draws cs_warn_draws_failed, cs_warn_draws_stuck,
    cs_warn_draws_none, cs_warn_draws_infinite, cs_warn_draws_capped,
    cs_warn_draws_weighted, cs_warn_draws_undefined, cs_warn_draws_sites_apart,
    cs_warn_draws_sites_differ, cs_warn_draws_weights, cs_warn_draws_ess,
    cs_warn_draws_rhat, cs_warn_draws_rhat_vague, cs_warn_draws_bulk,
    cs_warn_draws_tail, cs_warn_draws_drift, cs_warn_draws_heavy,
    cs_warn_draws_labels, cs_warn_draws_constant_apart,
    cs_warn_draws_constant_rare, cs_warn_draws_constant, cs_warn_draws_end;
