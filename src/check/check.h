/* The law book: properties ("laws") that every target and every kernel must
 * have, with a test for each. `chainscope check` tests a user's own target and
 * kernels. The test suite runs the same code on every registered kernel over
 * small targets, and on kernels with planted faults.
 *
 * If all states can be listed, the answers are nearly proofs: chains start from
 * exact draws, and the states after some steps are counted against the
 * distribution itself. On a few states the transition matrix is estimated. For
 * targets without exact draws, chains start from weighted draws, and the steps
 * of a reversible kernel are weighed against the reverse steps. Otherwise a
 * finding reports the test that was made. No test moves the run or counts as
 * its work. Runs on the thread that owns the run.
 */
#pragma once

#include "run/views/view.h"
#include "target/enumeration.h"

typedef enum cs_verdict {
    CS_HOLDS,
    CS_BROKEN,
    CS_NOTED,  /* true, and no fault: a kernel that says it is biased */
    CS_UNTRIED /* it does not apply, or cannot be decided here */
} cs_verdict;

/* The smallest error that the test would have detected if the law holds. */
typedef struct cs_detects {
    double error;     /* in `unit`; 0: any, however small */
    const char *unit; /* "in the log ratio"; a constant text */
    double power;     /* the probability with which it would have been seen */
} cs_detects;

typedef struct cs_finding {
    const char *arm; /* NULL: a law of the target */
    const char *law; /* "gradient" */
    cs_verdict verdict;
    cs_detects seen; /* unit NULL unless it holds */
    char text[384];  /* what was seen, with numbers; `seen` too */
} cs_finding;

enum { CS_CHECK_LANES = 32, CS_CHECK_STATES = 1 << 16 /* listed */ };

typedef struct cs_check {
    void (*say)(void *to, const cs_finding *f); /* as each is found */
    void *to;
    double seconds; /* that a law of an arm may take, about */
    /* The only law and the only arm to test; NULL: all. [borrowed] */
    const char *law, *arm;
    /* First sample size of the random tests; 0: the size that `seconds` allow.
     */
    size_t draws;
    bool strict;   /* of compiled targets: errors of rounding alone, at every
                      place, also outside the support */
    size_t broken; /* out: how many are */
    /* States with log p > -inf, found by cs_check_run for the laws. */
    double *place; /* [places][dim] [own] */
    size_t places; /* at most CS_CHECK_LANES, all different */
    /* All states of the target; NULL if they are too many or take too long. Set
     * by cs_check_list_states.
     */
    const cs_enumeration *states;
    cs_enumeration
        listed; /* [own] what `states` is, where the target has none */
} cs_check;

typedef struct cs_law {
    const char *name;
    /* Returns whether every kernel of this type must be tested by the law on
     * some target, with some parameter values. NULL: a law of targets.
     */
    bool (*owed)(const cs_kernel_type *type);
    /* Returns whether the law applies to this target and arm. */
    bool (*applies)(const cs_check *c, const cs_target *t,
                    const cs_arm_view *arm);
    /* Tests the law and reports the finding; `arm` is NULL for a law of
     * targets. Fails only if out of memory.
     */
    cs_status (*attempt)(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err);
} cs_law;

extern const cs_law cs_target_laws[], cs_arm_laws[]; /* end with name NULL */

/* Returns the law called `name` from either list, or NULL. */
const cs_law *cs_law_find(const char *name);

/* Tests the laws that `c` selects on the run's target and arms. Fails only if
 * out of memory.
 */
cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err);
