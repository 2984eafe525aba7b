/* A run: target + arms + seed + budget; what a scenario opens.
 *
 * Chains of an arm are cut into blocks, blocks are moved by workers, a
 * quantum of steps at a time; between quanta nothing runs, and the owner may
 * look, change parameters, rewind, save. Results depend on the spec and the
 * changes made at given steps only. A run has no thread but its workers, no
 * globals, prints nothing. */
#pragma once

#include "chain/block.h"
#include "kernel/decision.h"
#include "run/learner.h"
#include "run/ranks.h"
#include "run/share.h"
#include "stat/diagnostics.h"
#include "tune/tuner.h"

typedef struct cs_run cs_run;

typedef struct cs_arm_spec {
    const char *name; /* [copied] */
    cs_kernel kernel;
    cs_plan plan;
    cs_tuner tuner;           /* of no type: none */
    cs_metric_kind metric;    /* UNIT: none, or what its tuner learns */
    const double *covariance; /* of a metric: cs_metric_words [borrowed] */
    const double *centre;     /* of it: [dim], or NULL: none [borrowed] */
    size_t chains;            /* 0: the run's */
    cs_learner learner;       /* of no type: its target stays as it is [held] */
} cs_arm_spec;

/* Of each arm: steps of every chain, work summed over its chains. An arm is
 * finished by the first step that reaches a limit, or by that at which its
 * last chain fails; the others go on. A zero is no limit. */
typedef struct cs_budget {
    uint64_t steps, gradients, log_densities, data_terms;
    double seconds; /* of the whole run, wall time */
} cs_budget;

typedef struct cs_probe_spec {
    const cs_probe_type *type;
    cs_value given[CS_PROBE_PARAMS];
    size_t n_given;
    uint64_t every; /* 0: as usual (cs_probe_usual) */
    bool true_logp; /* see cs_probe */
} cs_probe_spec;

typedef struct cs_run_spec {
    cs_target *target; /* [held] */
    const cs_arm_spec *arms;
    size_t n_arms;
    size_t chains; /* per arm, default 4 */
    uint64_t seed;
    uint64_t warmup;      /* steps of arms without a tuner before their draws
                        begin, 0: none */
    uint64_t most_warmup; /* a tuner whose steps nobody has said has so many at
                             most, 0: as many as are usual */
    cs_budget budget;
    const cs_probe_spec *probes;
    size_t n_probes;
    const double *start; /* [n_starts][dim] row per chain (reused in turn when
                            fewer than chains), or NULL */
    size_t n_starts;
    size_t workers;        /* 0: one per processor */
    size_t block_lanes;    /* 0: chosen; results do not depend on it */
    size_t keep;           /* draws kept per chain; 0: 4096, thinned by doubling
                           when full */
    uint64_t rewind_bytes; /* memory for the kept past, 0: 64 MiB */
    bool strict;           /* a chain stops at the first proposal that is NaN;
                              else that is refused and counted (cs_tally) */
    cs_share share;        /* {0}: all of it */
    const cs_world *ranks; /* that move it together, or NULL [borrowed] */
    const char *together;  /* why it cannot be shared out, or NULL [copied] */
    const char *script;    /* more that a saved run must have in common with
                              the one that loads it (base/parts.h), or NULL
                              [copied] */
} cs_run_spec;

cs_status cs_run_create(cs_run **out, const cs_run_spec *spec, cs_error *err);
void cs_run_destroy(cs_run *r);

/* n more steps of every arm whose budget is not spent. Stops early when
 * cs_run_stop was called or every arm is done; *done = steps made. A chain
 * whose state is impossible does not stop the others: see cs_run_fault. */
cs_status cs_run_advance(cs_run *r, uint64_t n, uint64_t *done, cs_error *err);

/* Asks a running advance to return at the next step. Any thread, and from a
 * signal handler. */
void cs_run_stop(cs_run *r);

uint64_t cs_run_steps(const cs_run *r);
bool cs_run_finished(const cs_run *r);

/* Of an arm whose draws are read (run/recorded.h): it goes on to step `steps`
 * and no farther until that is said anew; `last`: it is finished there. And
 * whether no arm may go on for now, though some will. */
void cs_run_limit(cs_run *r, size_t arm, uint64_t steps, bool last);
/* How many draws its longest chain has, of which it goes no farther than the
 * shortest: the warnings say so. 0: not known. */
void cs_run_set_longest(cs_run *r, size_t arm, uint64_t draws);
uint64_t cs_run_longest(const cs_run *r, size_t arm);
bool cs_run_waits(const cs_run *r);

/* Goes on beyond the budget, which is no limit from now on: every arm by as
 * many steps, from where it is. Where the budget left arms at different steps
 * the way back begins here. */
void cs_run_lift(cs_run *r);
bool cs_run_lifted(const cs_run *r);

/* Where a rule ends it before its budget: why, in words, which a summary says as
 * long as the run stands there; NULL: none does. It can go on. */
void cs_run_end_here(cs_run *r, const char *why);
const char *cs_run_ended(const cs_run *r);

/* ---- looking ---- */

size_t cs_run_arms(const cs_run *r);
cs_target *cs_run_target(const cs_run *r); /* [borrowed] where arms learn, as
                                              it was before */
cs_target *cs_run_arm_target(const cs_run *r, size_t arm); /* [borrowed] its
                                              own, if it learns */
bool cs_run_learns(const cs_run *r); /* whether some arm has a learner */
uint64_t cs_run_seed(const cs_run *r);
/* Of arms without a tuner; 0: none, or there is no such arm. */
uint64_t cs_run_warmup(const cs_run *r);
const cs_budget *cs_run_budget(const cs_run *r);
double cs_run_seconds(const cs_run *r); /* spent advancing, wall */

/* A trial of a tuner. */
typedef struct cs_trial_view {
    double value[CS_TUNER_DRIVEN];
    double acceptance; /* NAN: without accept step, or not over yet */
    uint64_t steps;
    size_t phase;
    bool taken; /* it was the best of its round */
} cs_trial_view;

/* The tuner of an arm. Its steps come first and count as the arm's; probes and
 * draws begin after them, and schedules count from there. */
typedef struct cs_tuning_view {
    const cs_tuner *tuner; /* NULL: the arm has none */
    bool active;           /* it is still at work */
    bool cut;              /* to most_warmup of the run's spec */
    double part;           /* of its steps at most that are made, 1: it ended */
    uint64_t steps;        /* made */
    const cs_trial_view *trial; /* [n_trials] [borrowed] */
    size_t n_trials;
} cs_tuning_view;

typedef struct cs_arm_view {
    const char *name;
    const cs_kernel *kernel;
    const cs_plan *plan;
    const cs_metric *metric; /* NULL: the unit one */
    size_t chains;
    cs_chains own;   /* those of this run: its share ... */
    cs_chains moved; /* ... and of these, those that this rank moves */
    size_t group;    /* so many belong together, as the arm began: the first of
                     them draws from the target and is recorded */
    uint64_t steps;
    cs_work work;      /* summed over chains */
    cs_work observed;  /* what probes and users had evaluated beside it: log p
                         where the kernel does not have it. It goes back with
                         the steps, as `work` does */
    cs_logp_kind logp; /* what log p of its draws so far is; before the first,
                          of the kernel */
    double seconds;    /* CPU spent in its blocks */
    bool finished;
    uint64_t warmup_steps; /* of the warm-up, 0 while it lasts */
    cs_tuning_view tuning;
    cs_learner_view learner;
} cs_arm_view;
cs_arm_view cs_run_arm(const cs_run *r, size_t arm);
/* How many steps of the chain are before the first by which the schedule of the
 * kernel's parameter k counts: 0, but for a schedule that the arm's tuner has
 * found, which counts from the end of the warm-up. */
uint64_t cs_arm_view_from(const cs_arm_view *arm, size_t k);
/* What parameter k of the kernel is at step `step` of the chain, from 1: of an arm
 * whose tuner is at work on it, the value of the trial. On the run's thread. */
double cs_arm_view_value(const cs_arm_view *arm, size_t k, uint64_t step);
/* Its name, without the rest of the view; NULL: there is no such arm. [borrowed] */
const char *cs_run_arm_name(const cs_run *r, size_t arm);

/* Everything about one chain's last step. Pointers [borrowed] until the next
 * call that moves the run; x and proposal are gathered copies, [dim]. The last
 * step of a chain that failed is the one at which it did: its parts are NAN. */
typedef struct cs_chain_view {
    const double *x;
    const double *proposal; /* NULL: the kernel has none, or no step yet */
    const double *shown;    /* the target's outputs of both, or themselves */
    const double *shown_proposal;
    const double *aux;          /* auxiliary variables of the kernel, row i */
    const double *aux_proposal; /* at [i * aux_stride]; NULL likewise */
    size_t aux_rows, aux_stride;
    cs_decision last; /* of its last step */
    bool failed;
    cs_tally tally;
} cs_chain_view;
cs_chain_view cs_run_chain(cs_run *r, size_t arm, size_t chain);

/* Where noise carries the chain in its next step, of the first n coordinates:
 * covariance by the noise of its gradient, gradient[n][n], and variances of the
 * noise that its kernel adds, injected[n]. False where the kernel follows no
 * noisy gradient, or the chain has stopped. It changes no chain. */
bool cs_run_noise(const cs_run *r, size_t arm, size_t chain, size_t n,
                  double *gradient, double *injected);

/* The step that a chain is about to make, made on a copy of it: the points at
 * which the target is evaluated on the way, point[room][shown], as they are
 * shown; how many of them there are, *n, of which the first `room` are kept; and
 * where the chain then is, end[shown]. It changes no chain and counts as no work.
 * False: the chain has stopped, the step may run a script's own functions, or
 * out of memory. */
bool cs_run_path(cs_run *r, size_t arm, size_t chain, size_t room,
                 double *point, size_t *n, double *end);

/* log p of the state where a chain stands, by the target: the kernel's, where
 * that is exact; else it is evaluated, for that chain alone, and counted in
 * `observed`. It changes no chain. */
cs_status cs_run_true_logp(cs_run *r, size_t arm, size_t chain, double *logp,
                           cs_error *err);

/* The same of its last decision alone: no state is gathered, x, proposal and
 * what is shown are NULL. */
cs_chain_view cs_run_decision(const cs_run *r, size_t arm, size_t chain);

/* Where a chain's state and the kernel's auxiliary variables are, coordinate d
 * at [d * stride]; [borrowed] like those of cs_chain_view. */
typedef struct cs_lane_view {
    const double *x, *proposal, *aux, *aux_proposal; /* NULL as there */
    const double *stat; /* columns of the last step (cs_info), NULL: none */
    double accept_stat; /* with CS_KERNEL_ACCEPT_STAT, its mean acceptance */
    size_t aux_rows, stride;
} cs_lane_view;
cs_lane_view cs_run_lane(const cs_run *r, size_t arm, size_t chain);

/* Reports of every probe of every arm: keys "arm/<i>/<probe>/...", and what
 * its kernel says of itself: "arm/<i>/kernel/...", its learner:
 * "arm/<i>/learn/...". */
void cs_run_report(cs_run *r, cs_flat *out);
/* That of one probe of one arm, or of its "kernel" or "learn", its keys behind
 * `prefix`; false when the run has no such probe, the kernel nothing to say. */
bool cs_run_report_one(cs_run *r, size_t arm, const char *probe,
                       const char *prefix, cs_flat *out);
/* Some of an arm's chains, some of them perhaps more than once: what a probe
 * says of such samples tells how sure it is (the jackknife, the bootstrap).
 * Group g has the chains g, g + groups, g + 2 groups ..., and all that belong
 * to them. */
enum { CS_RUN_GROUPS = 32 };
typedef struct cs_run_sample {
    size_t groups, n;
    size_t group[CS_RUN_GROUPS]; /* [n] */
} cs_run_sample;
/* The same of a sample; with NULL of all chains. */
bool cs_run_report_of(cs_run *r, size_t arm, const char *probe,
                      const cs_run_sample *sample, const char *prefix,
                      cs_flat *out);

/* The probes of a run; NULL past the last. */
const cs_probe_type *cs_run_probe(const cs_run *r, size_t i);

/* The report of probe number `probe` of one arm, or, past the last probe, what
 * its kernel says: as far as it is known at once. What is exact and takes long
 * to work out appears when cs_run_settle has done so. */
void cs_run_glance(cs_run *r, size_t arm, size_t probe, cs_flat *out);

/* What the report of one probe of one arm is made from, copied between steps:
 * it can be made on another thread while the run goes on, as long as the run
 * is there. Memory is kept from copy to copy; the first is {0}. */
enum { CS_COPY_COLUMNS = 40 };
typedef struct cs_copy {
    cs_run *run; /* [borrowed] */
    size_t arm, probe, n;
    uint64_t step;
    cs_logp_kind logp; /* that it is of */
    double *words;     /* [own] */
    size_t n_words;
    cs_lane_memory *lane; /* [own] */
    size_t n_lanes;
    struct cs_judged_view *judged; /* of draws, where it is of those [own] */
    struct cs_quantities *wanted;  /* what is asked for of them [own] */
    size_t column[CS_COPY_COLUMNS], columns; /* the coordinates that it has */
} cs_copy;

/* Past the last probe it is of the draws that are judged, for what cs_run_want
 * has asked for (run/quantities.h), under "arm/i/draws/". */
cs_status cs_copy_take(cs_copy *c, cs_run *r, size_t arm, size_t probe,
                       cs_error *err);
void cs_copy_report(const cs_copy *c, cs_flat *out);
void cs_copy_fini(cs_copy *c);

/* What is looked at of single quantities: words like "marginal=x.3" or
 * "pairs=x.1,x.2" between blanks, "": nothing. Others than these are left out.
 * cs_run_wanted: a number that grows when they change, or more is known that is
 * exact of them. */
void cs_run_want(cs_run *r, const char *words);
uint64_t cs_run_wanted(const cs_run *r);

/* The row of diagnostics/table of one scalar alone (0: log p, then the
 * coordinates), which is soon made; of a sample, NULL: of all chains. Of all steps
 * where these are known of it; with `alike` only where they are of all scalars, as
 * in the table, so that one can be compared with another. False: there is none. */
bool cs_run_diagnosis(cs_run *r, size_t arm, size_t scalar,
                      const cs_run_sample *sample, bool alike,
                      cs_figures *figures);

/* What log p of those rows is: CS_LOGP_EXACT where there are none. */
cs_logp_kind cs_run_diagnosed_logp(const cs_run *r, size_t arm);

/* From now on the draws behind those figures are all that are made, each
 * `thin` steps, as far as 512 MiB go; not 4096 to 8192 a chain. */
void cs_run_judge_all(cs_run *r, uint64_t thin);

/* Those of a run that was saved beside its files, read back from them, after
 * cs_run_judge_all. How many of each chain of an arm are wanting, 0: none; then
 * row i, from 0, of what the sink was given of a chain. End it: chains that had
 * fewer without having stopped give all up. */
uint64_t cs_run_recall(cs_run *r, size_t arm);
void cs_run_recall_draw(cs_run *r, size_t arm, size_t chain, uint64_t i,
                        const double *row);
void cs_run_recalled(cs_run *r, size_t arm);
/* After a merge, where cs_run_recall wants none: whether those of this chain,
 * from 0, are to be read back all the same, for its part left them to files. */
bool cs_run_lacks(const cs_run *r, size_t arm, size_t chain);

/* Works out what at most `most` probes have not yet settled; whether all have.
 * It changes no chain. */
bool cs_run_settle(cs_run *r, size_t most);

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

/* The first fault not yet reported ("target banana: log density is NaN in chain 3
 * at step 17, x = (...)") into text[size]; false when there is none. */
bool cs_run_fault(cs_run *r, char *text, size_t size);

/* That of one chain, reported or not; false when it lives. */
bool cs_run_chain_fault(const cs_run *r, size_t arm, size_t chain, char *text,
                        size_t size);

/* At which step it stopped, of which nothing is a draw, and in a few words why
 * ("log density is +infinity at the proposal (28.2)"); false when it lives. */
bool cs_run_chain_stop(const cs_run *r, size_t arm, size_t chain,
                       uint64_t *step, char *why, size_t size);

/* Whether any chain of an arm, of any arm, has not failed. */
bool cs_run_arm_lives(const cs_run *r, size_t arm);
bool cs_run_lives(const cs_run *r);

/* Whether all chains were told to start at one state. */
bool cs_run_one_place(const cs_run *r);

/* Whether laws have judged an arm, as whoever keeps their results has told the
 * run: a kernel of functions without any is warned of. */
void cs_run_set_checked(cs_run *r, size_t arm, bool checked);
bool cs_run_checked(const cs_run *r, size_t arm);

/* What the user of these arms should know of the target ("the gradient is by
 * central differences ..."), or NULL. A constant text. */
const char *cs_run_note(const cs_run *r);

/* ---- changing, between steps; each is written to the journal ---- */

cs_status cs_run_set(cs_run *r, size_t arm, const char *param, double value,
                     cs_error *err);
cs_status cs_run_set_schedule(cs_run *r, size_t arm, const char *param,
                              const cs_schedule *schedule, cs_error *err);

/* As a user types it. `name`: a parameter, or with a point a field of the
 * schedule that drives it, "step.max"; "step.3" is number 3 of a list. `text`: a
 * number, the name of a choice, or a schedule, as schedule/words.h or
 * chain/kernel_text.h have it. */
cs_status cs_run_set_text(cs_run *r, size_t arm, const char *name,
                          const char *text, cs_error *err);

cs_status cs_run_set_kernel(cs_run *r, size_t arm, const cs_kernel *kernel,
                            const cs_plan *plan, cs_error *err);
cs_status cs_run_set_state(cs_run *r, size_t arm, size_t chain, const double *x,
                           cs_error *err);

/* Another metric, covariance[cs_metric_words], with centre[dim] or, NULL, none;
 * ends a tuner. */
cs_status cs_run_set_metric(cs_run *r, size_t arm, cs_metric_kind kind,
                            const double *covariance, const double *centre,
                            cs_error *err);

/* One entry of the journal: what was changed, and before which step. */
typedef struct cs_change {
    uint64_t step; /* steps done when it took effect */
    size_t arm;
    char what[48]; /* parameter */
    double value;
} cs_change;
/* `arm` of a change to the run itself: of its budget, its workers. */
#define CS_NO_ARM SIZE_MAX
/* `what` of going on beyond the budget (cs_run_lift), which a replay does too. */
#define CS_CHANGE_LIFT "beyond_budget"

size_t cs_run_journal(const cs_run *r, const cs_change **changes);
/* The same with those that lie ahead, after going back. */
size_t cs_run_changes(const cs_run *r, const cs_change **changes);

/* The journal with all that it takes to make the run again, as lines of text
 * (run/journal.c), to *text [own, cs_free]. */
cs_status cs_run_journal_text(const cs_run *r, char **text, cs_error *err);
/* The same without what the functions of a script kept. */
cs_status cs_run_changes_text(const cs_run *r, char **text, cs_error *err);

/* A line of it that begins so has the step up to which something lay ahead of the run,
 * which had gone back: that is no part of the text. */
#define CS_JOURNAL_AHEAD "# ahead "

/* Takes a fresh run of the same spec through such a text: every change at its
 * step, to the step of its end. Then it is the other run, bit for bit. Stops
 * where a line makes no sense, or the run ends. */
cs_status cs_run_replay(cs_run *r, const char *text, cs_error *err);

/* Back to exactly how the run was after `step` steps: the nearest kept past,
 * then replay, changes and all. What lies beyond is forgotten, changes made at
 * `step` itself too; kept draws stay as thin as they are. Fails when `step` is
 * in the future or older than what is kept. */
cs_status cs_run_rewind(cs_run *r, uint64_t step, cs_error *err);

/* The same, and on again: what lies beyond `step`, up to the farthest step
 * there was (cs_run_end), stays as it was. A run that goes on from there makes
 * it again, with its changes at their steps, until something is changed: then
 * it is a branch, to which cs_run_undo goes back. */
cs_status cs_run_travel(cs_run *r, uint64_t step, cs_error *err);
uint64_t cs_run_end(const cs_run *r);

/* Back to the step at which something was changed after going back, and what
 * lay ahead of it then lies ahead again, to be made again; what has been made
 * instead is the branch now. Fails when there is none. */
cs_status cs_run_undo(cs_run *r, cs_error *err);
/* How far the branch went, 0: there is none. */
uint64_t cs_run_branch(const cs_run *r);

/* The oldest step that rewind can reach. */
uint64_t cs_run_oldest(const cs_run *r);

/* ---- other arms ---- */

/* Makes a run that has just been made what another of the same target and seed
 * is by now, arm i what its arm number source[i] is, with all its changes;
 * CS_NO_ARM: that arm is new. It is behind, and cs_run_advance makes its steps,
 * those it would have made had it been there from the start, before any others.
 * Two arms of one source are alike. Way back: to step 0, unless a change was
 * made by a function of a script.
 * The target may have other parameters, on the same states: chains go on where
 * they are, and draws and probes begin there, as after a warm-up; so does the
 * way back. Fails, and the run is of no use, where kernels or probes differ, or
 * the target learns. */
cs_status cs_run_adopt(cs_run *r, cs_run *from, const size_t *source,
                       cs_error *err);

/* After it: what lies ahead of the other run, which has gone back, lies ahead of
 * this one too, of those arms that have a source here. */
cs_status cs_run_adopt_ahead(cs_run *r, const cs_run *from,
                             const size_t *source, cs_error *err);

/* Then: the changes with which the other left its old course, before it went
 * back to that (cs_run_undo), are made in this one, at the same step; of an arm of
 * one source alone. What lies ahead of arms that they are not of stays so. */
cs_status cs_run_adopt_branch(cs_run *r, const cs_run *from,
                              const size_t *source, cs_error *err);

/* After a change of `arm` at a step in the past: what lay ahead of the others
 * lies ahead again. */
cs_status cs_run_keep_ahead(cs_run *r, size_t arm, cs_error *err);

/* Notes in the journal what was changed here by other means, for its reader. */
cs_status cs_run_note_change(cs_run *r, const char *what, double value,
                             cs_error *err);

/* The steps by which the last arm is behind, 0: none is. */
uint64_t cs_run_behind(const cs_run *r);

/* ---- what scripts keep ---- */

/* Takes back what functions of a script kept when `text` was said. With `only_look`
 * nothing is changed: it says whether it could. After an error nothing was changed. */
typedef cs_status cs_recall(void *self, cs_run *r, const char *text,
                            bool only_look, cs_error *err);
void cs_run_remembers(cs_run *r, cs_recall *recall, void *self);

/* What they keep now, after the events at this step, as lines: from here on it is a
 * part of the run's state, which is saved, and goes back and forth with it. */
cs_status cs_run_remember(cs_run *r, const char *text, cs_error *err);
/* What was said last of where the run stands, NULL: nothing. [borrowed] */
const char *cs_run_remembered(const cs_run *r);
/* A number that changes with it, and with what was said before. */
uint64_t cs_run_remembered_sign(const cs_run *r);

/* ---- keeping ---- */

/* The whole run as bytes: versioned, checksummed, little-endian. *bytes [own,
 * cs_free]. Loading needs a run made of the same: target, arms, seed, starts,
 * probes. What differs is named with both values; the log density of each
 * saved state must be what it was. Budget and workers may be others: what
 * changes is written to the journal. It goes on bit for bit, with any number of
 * workers and any block size. */
cs_status cs_run_save(cs_run *r, unsigned char **bytes, size_t *size,
                      cs_error *err);
cs_status cs_run_load(cs_run *r, const unsigned char *bytes, size_t size,
                      cs_error *err);

/* The same beside files in which every draw of the sink stands: draws that can
 * be read back from there (cs_run_recall) are left to them. */
cs_status cs_run_save_beside(cs_run *r, unsigned char **bytes, size_t *size,
                             cs_error *err);

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
