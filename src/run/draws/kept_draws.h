/* The draws that a run keeps, and those that it hands to its sink. */
#pragma once

#include "run/arms/spec.h"

/* The kept draws of a chain: out[n][1 + shown + aux], rows of log p, what is
 * shown and the auxiliary variables of the kernel that the arm began with (see
 * cs_run_aux); returns n (call with out NULL for the count); *every = steps
 * between them. States that are no draws of the target (of a hot chain) are left
 * out, and those of a chain after it has stopped. */
size_t cs_run_draws(const cs_run *r, size_t arm, size_t chain, double *out,
                    uint64_t *every);

/* The same, and log_weight[n]: what each counts, as a logarithm up to a
 * constant of the chain; 0 where the arm's draws count alike. NULL, either: it
 * is not asked for. */
size_t cs_run_weighed_draws(const cs_run *r, size_t arm, size_t chain,
                            double *out, double *log_weight, uint64_t *every);

/* Whether the draws of an arm carry log weights: as the kernel that it began
 * with has it. And whether they do not though its draws count unlike by now,
 * since another kernel has taken the place of that one. */
bool cs_run_weighs(const cs_run *r, size_t arm);
bool cs_run_loses_weights(const cs_run *r, size_t arm);

/* What stands before x in a row of the sink: lp__ (log p), accept_stat__ (the
 * chance of acceptance at that step), stepsize__ where the arm's first kernel
 * has a step, log_weight__ where its draws have weights, and that kernel's own
 * stats. Returns how many. Another kernel
 * writes NAN where it has no such column. */
size_t cs_run_columns(const cs_run *r, size_t arm, const char *const **name);

/* How many rows of auxiliary variables of the kernel stand behind x in every
 * draw, and the name of one: "theta_a.3". NAN while the arm has another kernel
 * than at its start. */
size_t cs_run_aux(const cs_run *r, size_t arm);
void cs_run_aux_name(const cs_run *r, size_t arm, size_t i, char *text,
                     size_t size);

/* Called on the owner's thread for each block of draws as they are made
 * (see spec): rows[n][columns + shown + aux] of one chain. States that are no
 * draws of the target (weight 0: of a hot chain) are left out, and what comes
 * after a chain has stopped. For writers. */
typedef void (*cs_draw_sink)(void *self, size_t arm, size_t chain,
                             const double *rows, size_t n);
/* `thin`: one draw each so many steps, from now on. NULL: no more. */
cs_status cs_run_sink(cs_run *r, cs_draw_sink sink, void *self, uint64_t thin,
                      cs_error *err);

/* The sink is handed the states of warm-ups too, each so many steps, as rows
 * like those of draws, until an arm's warm-up is over: then it is told so,
 * before its first draw. Call it behind cs_run_sink, which ends it. */
typedef void (*cs_warmup_sink)(void *self, size_t arm);
void cs_run_sink_warmups(cs_run *r, cs_warmup_sink over);
