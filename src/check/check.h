/* Tests of properties ("laws") that every target and every kernel must have.
 * `chainscope check` runs them on a user's own target and kernels. The test
 * suite runs the same code on every registered kernel over small targets, and
 * on kernels with deliberate faults.
 *
 * If all states can be enumerated, the results are nearly proofs: chains start
 * from exact draws, and the counts of the states after some steps are compared
 * with the distribution itself. The draws of a script are exact draws if they
 * follow the density. For a target with only a few states the
 * transition matrix is estimated. For targets without exact draws, chains start
 * from weighted draws, and the steps of a reversible kernel are weighted and
 * compared with the reverse steps. In all other cases the finding names the
 * test that was made. No test advances the run or counts as work of the run.
 * Call on the thread that owns the run. */
#pragma once

#include "run/views/view.h"
#include "target/enumeration.h"

typedef enum cs_verdict {
    CS_HOLDS,
    CS_BROKEN,
    CS_NOTED,  /* the finding is true but not a fault; for example, the kernel
                  is declared biased */
    CS_UNTRIED /* the law does not apply, or this check cannot decide whether it
                  holds */
} cs_verdict;

/* Smallest error that the test would have detected, if the law holds. */
typedef struct cs_detects {
    double error;     /* size of the error in `unit`; 0: an error of any size */
    const char *unit; /* constant string, for example "in the log ratio" */
    double power;     /* probability with which the error would have been
                       * detected */
} cs_detects;

typedef struct cs_finding {
    const char *arm; /* name of the arm; NULL: the law is a law of the target */
    const char *law; /* name of the law, for example "gradient" */
    cs_verdict verdict;
    cs_detects seen; /* unit is NULL unless the law holds */
    char text[384];  /* the result with its numbers; includes the text of
                        `seen` */
} cs_finding;

/* CS_CHECK_LANES: number of lanes of a check. CS_CHECK_STATES: largest number
 * of states that are enumerated. */
enum { CS_CHECK_LANES = 32, CS_CHECK_STATES = 1 << 16 };

/* Whether the draws by a target's sampler follow its density. */
typedef enum cs_samples {
    CS_SAMPLES_UNTRIED, /* the law `sample` has not decided */
    CS_SAMPLES_HOLD,
    CS_SAMPLES_BROKEN
} cs_samples;

typedef struct cs_check {
    void (*say)(void *to, const cs_finding *f); /* called for each finding */
    void *to;
    /* Approximate time limit per law and arm, by cs_clock_work: on a busy machine
     * a law takes at most four times the wall time. A doubtful result may double
     * the time. */
    double seconds;
    /* The only law and the only arm to test; NULL: all. [borrowed] */
    const char *law, *arm;
    /* First sample size of the random tests; 0: the size that `seconds`
     * allows. */
    size_t draws;
    /* Further rounds are made until an error of this size would have been
     * detected, and the first round is a quarter of the usual one; 0:
     * CS_CHECK_AIM. */
    double aim;
    bool strict;   /* true: only rounding errors are allowed, at every state,
                      including states outside the support; for compiled
                      targets */
    size_t broken; /* output: number of broken laws */
    /* States with log p > -inf, found by cs_check_run for the laws. */
    double *place; /* [places][dim] the states [own] */
    size_t places; /* number of states, at most CS_CHECK_LANES; all are
                      distinct */
    /* All states of the target; NULL if there are too many states or their
     * evaluation takes too long. Set by cs_check_list_states. */
    const cs_enumeration *states;
    cs_enumeration
        listed; /* [own] storage of `states` if the target has no enumeration */
    cs_samples samples; /* set by the law `sample`, before laws of arms */
} cs_check;

typedef struct cs_law {
    const char *name;
    /* Returns true if the law must be tested for this type of kernel. At least
     * one test must then be made, on some target and with some parameter
     * values. NULL: the law is a law of targets. */
    bool (*owed)(const cs_kernel_type *type);
    /* Returns true if the law applies to this target and arm. */
    bool (*applies)(const cs_check *c, const cs_target *t,
                    const cs_arm_view *arm);
    /* Tests the law and reports the finding. `arm` is NULL for a law of
     * targets. Fails only if memory is exhausted. */
    cs_status (*attempt)(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err);
} cs_law;

/* The laws of targets, of arms, and of arms with functions written in Lua: draws
 * from a conditional distribution, and deterministic maps. Each array ends with
 * a law whose name is NULL. */
extern const cs_law cs_target_laws[], cs_arm_laws[], cs_member_laws[];

/* Returns the law with this name from any list, or NULL. */
const cs_law *cs_law_find(const char *name);

/* Tests the laws that `c` selects on the run's target and arms. Fails only if
 * memory is exhausted. */
cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err);
