/* The laws, on a user's own target and kernels: whether the gradient is that
 * of the density and the differences of sites are differences; and of every
 * arm, whether its record is true, whether it keeps the target's law, whether
 * it stays where it may be, and whether it reaches all of that.
 *
 * Where all states can be listed the answers are nearly proofs: chains start
 * from exact draws, and what they are after some steps is counted against the
 * law itself. Where nobody can draw from the target, steps of a reversible
 * kernel are weighed against those back. Elsewhere they say what was tried.
 * Nothing here moves the run or counts as its work. On the thread that owns
 * it. */
#ifndef CS_CHECK_CHECK_H
#define CS_CHECK_CHECK_H

#include "run/run.h"
#include "target/enumeration.h"

typedef enum cs_verdict {
    CS_HOLDS,
    CS_BROKEN,
    CS_NOTED,  /* true, and no fault: a kernel that says it is biased */
    CS_UNTRIED /* it does not apply, or cannot be decided here */
} cs_verdict;

typedef struct cs_finding {
    const char *arm; /* NULL: of the target */
    const char *law; /* "gradient" */
    cs_verdict verdict;
    char text[256]; /* what was seen */
} cs_finding;

typedef struct cs_check {
    void (*say)(void *to, const cs_finding *f); /* as each is found */
    void *to;
    double seconds; /* that a law of an arm may take, about */
    size_t broken;  /* out: how many are */
    /* Where chains may be, log p > -inf: found by cs_check_run, for the laws. */
    double *place; /* [places][dim] [own] */
    size_t places; /* at most CS_CHECK_LANES, all different */
    /* All states of the target, NULL: they are too many, or take too long. By
     * cs_check_list_states. */
    const cs_enumeration *states;
    cs_enumeration
        listed; /* [own] what `states` is, where the target has none */
} cs_check;

/* Every law of the run's target and arms; fails only for want of memory. */
cs_status cs_check_run(cs_run *run, cs_check *c, cs_error *err);

/* ---- between the files of the check -------------------------------------- */

enum { CS_CHECK_LANES = 32, CS_CHECK_STATES = 1 << 16 /* listed */ };

void cs_check_say(cs_check *c, const char *arm, const char *law,
                  cs_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Numbers of a check's own, always the same ones for a key. */
typedef struct cs_check_rng {
    uint64_t key, drawn;
} cs_check_rng;
double cs_check_uniform(cs_check_rng *d); /* in (0, 1) */

/* Fills c->place: where chains of the run are, where the target says that they
 * may begin, and what lies close to these. */
cs_status cs_check_find_starts(cs_check *c, cs_run *run, cs_error *err);

/* Fills c->states. */
void cs_check_list_states(cs_check *c, const cs_target *t);

/* Looks at what goes by chance. One p-value that is small may be chance: one
 * that is in doubt is looked at again, with other numbers and four times as
 * many of them, and the last look counts. What is right is called broken once
 * in two million times. */
typedef struct cs_looks {
    unsigned look; /* which one this is, from 1; 0 before the first */
    size_t draws;  /* that it should have: more seconds, more draws */
    double p;      /* what came of it */
} cs_looks;
/* Whether one more is due. */
bool cs_check_look(const cs_check *c, cs_looks *l);
/* After the last. */
bool cs_check_refutes(const cs_looks *l);

/* How far off something is: "total variation" 0.2. */
typedef struct cs_distance {
    const char *what;
    double far;
} cs_distance;
/* The p-value of how often each of the states was seen, n times in all; the
 * part of them that speaks most against it. NaN when out of memory. */
double cs_check_counts_p(const cs_target *t, const cs_enumeration *truth,
                         const double *count, size_t n, cs_distance *worst);

cs_status cs_check_target(cs_check *c, cs_target *t, cs_error *err);
/* Whether exact draws stay exact; where there are none, cs_check_balance. */
cs_status cs_check_distribution(cs_check *c, cs_target *t,
                                const cs_arm_view *arm, uint64_t seed,
                                cs_error *err);
/* Whether steps and steps back are as many, each weighed by the density. */
cs_status cs_check_balance(cs_check *c, cs_target *t, const cs_arm_view *arm,
                           uint64_t seed, cs_error *err);
/* What became of chains that were let loose where log p > -inf. */
void cs_check_inside(cs_check *c, const char *arm, size_t outside,
                     size_t failed);
/* Whether the same step comes out the same twice. */
cs_status cs_check_repeat_distribution(cs_check *c, cs_target *t,
                                       const cs_arm_view *arm, uint64_t seed,
                                       cs_error *err);
cs_status cs_check_record(cs_check *c, cs_target *t, const cs_arm_view *arm,
                          uint64_t seed, cs_error *err);
cs_status cs_check_reach(cs_check *c, cs_target *t, const cs_arm_view *arm,
                         uint64_t seed, cs_error *err);

/* A block of CS_CHECK_LANES chains of the arm's kernel, that adapts no more;
 * started at x[n][dim], in turn. NULL when out of memory. */
cs_block *cs_check_block(cs_target *t, const cs_arm_view *arm, uint64_t seed,
                         const double *x, size_t n);
/* The same chains, put at other states and with other random numbers. */
bool cs_check_repeat(cs_block *b, uint64_t seed, const double *x, size_t n);
/* The next n <= 64 steps, as the arm's plan drives them. */
void cs_check_steps(cs_block *b, const cs_arm_view *arm, uint64_t from,
                    size_t n);

#endif
