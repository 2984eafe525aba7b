/* The law book: properties ("laws") that every target and every kernel must
 * have, and how each is tried. `chainscope check` tries them on a user's own
 * target and kernels; the tests try the same code on every registered kernel
 * over small targets, and on kernels with faults planted in them.
 *
 * Where all states can be listed the answers are nearly proofs: chains start
 * from exact draws, and the states after some steps are counted against the
 * distribution itself; on a few states the transition matrix is estimated. Where
 * nobody can draw from the target, chains start from weighted draws, and steps of a
 * reversible kernel are weighed against those back. Elsewhere a finding says
 * what was tried. Nothing here moves the run or counts as its work. On the
 * thread that owns the run. */
#pragma once

#include "run/run.h"
#include "target/enumeration.h"

typedef enum cs_verdict {
    CS_HOLDS,
    CS_BROKEN,
    CS_NOTED,  /* true, and no fault: a kernel that says it is biased */
    CS_UNTRIED /* it does not apply, or cannot be decided here */
} cs_verdict;

/* The smallest error that a law which holds would have seen. */
typedef struct cs_detects {
    double error;     /* in `unit`; 0: any, however small */
    const char *unit; /* "in the log ratio"; a constant text */
    double power;     /* the probability with which it would have been seen */
} cs_detects;

typedef struct cs_finding {
    const char *arm; /* NULL: of the target */
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
    /* Which law and which arm alone; NULL: all. [borrowed] */
    const char *law, *arm;
    /* The first sample of laws that go by chance; 0: as many as `seconds`
     * leave time for. */
    size_t draws;
    bool strict;   /* of compiled targets: errors of rounding alone, at every
                      place, also outside the support */
    size_t broken; /* out: how many are */
    /* Where chains may be, log p > -inf: found by cs_check_run, for the laws. */
    double *place; /* [places][dim] [own] */
    size_t places; /* at most CS_CHECK_LANES, all different */
    /* All states of the target, NULL: they are too many, or take too long. By
     * cs_check_list_states. */
    const cs_enumeration *states;
    cs_enumeration
        listed; /* [own] what `states` is, where the target has none */
} cs_check;

typedef struct cs_law {
    const char *name;
    /* Every kernel of this kind must come under the law on some target, with
     * some of its values; NULL: a law of targets. */
    bool (*owed)(const cs_kernel_type *type);
    /* Whether it can be asked of this target and arm at all. */
    bool (*applies)(const cs_check *c, const cs_target *t,
                    const cs_arm_view *arm);
    /* Tries it and says what was found; `arm` is NULL for a law of targets.
     * Fails only for want of memory. */
    cs_status (*attempt)(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err);
} cs_law;

extern const cs_law cs_target_laws[], cs_arm_laws[]; /* end with name NULL */

/* The law of either list called `name`, or NULL. */
const cs_law *cs_law_find(const char *name);

/* The laws of the run's target and arms that `c` asks for; fails only for want
 * of memory. */
cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err);
