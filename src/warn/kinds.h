/* The functions of the table of warnings, a file per subject. Each writes its
 * sentence and returns true if the facts show its condition; else it returns
 * false. */
#pragma once

#include "warn/warnings.h"

/* chains.c: the chains and the run. */
bool cs_warn_stopped(const cs_warn_facts *f, cs_page *p);
bool cs_warn_broken_off(const cs_warn_facts *f, cs_page *p);
bool cs_warn_warming(const cs_warn_facts *f, cs_page *p);
bool cs_warn_unequal(const cs_warn_facts *f, cs_page *p);
bool cs_warn_one_chain(const cs_warn_facts *f, cs_page *p);
bool cs_warn_one_place(const cs_warn_facts *f, cs_page *p);
bool cs_warn_ensemble(const cs_warn_facts *f, cs_page *p);
bool cs_warn_few_walkers(const cs_warn_facts *f, cs_page *p);

/* trajectories.c: Hamiltonian trajectories. */
bool cs_warn_divergent(const cs_warn_facts *f, cs_page *p);
bool cs_warn_deep(const cs_warn_facts *f, cs_page *p);
bool cs_warn_energy(const cs_warn_facts *f, cs_page *p);
bool cs_warn_not_finite(const cs_warn_facts *f, cs_page *p);

/* steps.c: the size of steps. */
bool cs_warn_step_large(const cs_warn_facts *f, cs_page *p);
bool cs_warn_step_small(const cs_warn_facts *f, cs_page *p);
double cs_warn_step_factor(double a, double b, bool gradient);
bool cs_warn_stuck(const cs_warn_facts *f, cs_page *p);
bool cs_warn_box(const cs_warn_facts *f, cs_page *p);

/* modes.c: known modes, and ladders of temperatures. */
bool cs_warn_modes_missed(const cs_warn_facts *f, cs_page *p);
bool cs_warn_modes_short(const cs_warn_facts *f, cs_page *p);
bool cs_warn_modes_apart(const cs_warn_facts *f, cs_page *p);
bool cs_warn_ladder_gap(const cs_warn_facts *f, cs_page *p);
bool cs_warn_ladder_idle(const cs_warn_facts *f, cs_page *p);

/* method.c: biases of the kernel. */
bool cs_warn_bias(const cs_warn_facts *f, cs_page *p);
bool cs_warn_partial(const cs_warn_facts *f, cs_page *p);
bool cs_warn_learning(const cs_warn_facts *f, cs_page *p);
bool cs_warn_all_learning(const cs_warn_facts *f, cs_page *p);
bool cs_warn_weightless(const cs_warn_facts *f, cs_page *p);
bool cs_warn_loose_bounds(const cs_warn_facts *f, cs_page *p);

/* evidence.c: evaluations at the end of the run. */
bool cs_warn_random(const cs_warn_facts *f, cs_page *p);
bool cs_warn_slope(const cs_warn_facts *f, cs_page *p);
bool cs_warn_edge(const cs_warn_facts *f, cs_page *p);
bool cs_warn_improper(const cs_warn_facts *f, cs_page *p);
bool cs_warn_resonance(const cs_warn_facts *f, cs_page *p);
bool cs_warn_metric(const cs_warn_facts *f, cs_page *p);

/* method.c, too. */
bool cs_warn_adapting(const cs_warn_facts *f, cs_page *p);
bool cs_warn_unchecked(const cs_warn_facts *f, cs_page *p);

/* exact.c: exact answers and other arms. */
bool cs_warn_heat(const cs_warn_facts *f, cs_page *p);
bool cs_warn_off(const cs_warn_facts *f, cs_page *p);
bool cs_warn_differs(const cs_warn_facts *f, cs_page *p);
bool cs_warn_biased(const cs_warn_facts *f, cs_page *p);

/* draws.c: diagnosed draws. */
bool cs_warn_draws_failed(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_stuck(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_none(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_infinite(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_capped(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_weighted(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_undefined(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_sites_apart(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_sites_differ(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_weights(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_worth(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_rhat(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_rhat_vague(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_bulk(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_tail(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_drift(const cs_warn_draws *d, cs_page *p);
bool cs_warn_draws_heavy(const cs_warn_draws *d, cs_page *p);
