/* Facts about a run and its arms that need no look at a chain. */
#pragma once

#include "run/arms/spec.h"

size_t cs_run_arms(const cs_run *r);
cs_target *cs_run_target(const cs_run *r); /* [borrowed] if arms learn, the
                                            * target before learning */
/* [borrowed] its own copy, if it learns */
cs_target *cs_run_arm_target(const cs_run *r, size_t arm);
bool cs_run_learns(const cs_run *r); /* true if some arm has a learner */
/* Returns the name of an arm [borrowed]; NULL: no such arm. */
const char *cs_run_arm_name(const cs_run *r, size_t arm);
uint64_t cs_run_seed(const cs_run *r);

uint64_t cs_run_steps(const cs_run *r);
/* Returns the warm-up of arms without a tuner; 0: none, or no such arm. */
uint64_t cs_run_warmup(const cs_run *r);
const cs_budget *cs_run_budget(const cs_run *r);
double cs_run_seconds(const cs_run *r); /* wall time spent advancing */

/* True if all chains start at one state by the spec. */
bool cs_run_one_place(const cs_run *r);

/* Stores whether laws have checked an arm, and the first law that it failed
 * ("": none). A kernel made of functions without a check, and a failed law,
 * cause warnings. */
void cs_run_set_checked(cs_run *r, size_t arm, bool checked,
                        const char *broken);
bool cs_run_checked(const cs_run *r, size_t arm);
const char *cs_run_broken(const cs_run *r, size_t arm); /* [borrowed] */
/* Stores the number of draws of its longest chain; the arm ends with its
 * shortest chain, and a warning reports the difference. 0: unknown. */
void cs_run_set_longest(cs_run *r, size_t arm, uint64_t draws);
uint64_t cs_run_longest(const cs_run *r, size_t arm);

/* Returns a note for users about the target ("the gradient is by central
 * differences ..."), or NULL. A constant text. */
const char *cs_run_note(const cs_run *r);
