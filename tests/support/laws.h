/* The law book of kernels. A law is tried with every setting of every
 * registered kernel on every small target that it applies to. Each returns
 * whether it holds, so that a test can also demand that it does NOT hold for
 * a kernel with a planted fault. */
#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

#include "chain/block.h"
#include "support/matrix.h"

enum { LAW_CHAINS = 40 };

/* A kernel with values for its parameters. */
typedef struct setting {
    const cs_kernel_type *type;
    double value[CS_KERNEL_PARAMS];
    const char *formula; /* the name for matrix_of: that of the kernel */
    void *self;          /* of a wrapper */
} setting;

/* The kernel as it is given to a run. */
cs_kernel law_kernel(const setting *s);

typedef struct kernel_law {
    const char *name;
    /* Every kernel of this kind must come under the law somewhere. */
    bool (*owed)(const cs_kernel_type *type);
    bool (*applies)(const setting *s, const points *p);
    bool (*holds)(const setting *s, const points *p);
} kernel_law;

/* What the step is: matrices, frequencies, records; of auxiliary variables.
 * What it does at the limits of numbers and memory. What it does in a run. What
 * it does in the long run, by chance. Each list ends with a NULL name. */
extern const kernel_law step_laws[], aux_laws[], limit_laws[], run_laws[],
    chance_laws[];
extern const kernel_law *const law_book[]; /* the lists; ends with NULL */

/* A step or a start to be put in the place of a registered kernel's own. */
typedef struct kernel_fault {
    const char *law, *kernel;
    const cs_target_type *target;
    double value[5];
    cs_kernel_type with; /* what is not NULL replaces */
} kernel_fault;

extern const kernel_fault kernel_faults[]; /* ends with law NULL */
/* The registered kernel with the fault in it; one at a time. */
void kernel_spoil(const kernel_fault *f, cs_kernel_type *out);

/* The small targets and, for kernel number i of the registry, setting number
 * k: 0 has the defaults; false when there are no more. */
extern const cs_target_type *const law_grounds[];
bool law_setting(const cs_kernel_type *type, size_t k, setting *s);
bool law_fits(const setting *s, const points *p);

/* Calls `each` for every pair that the law applies to, until it returns
 * false; returns how many calls returned true. */
size_t law_everywhere(const kernel_law *law, const cs_kernel_type *type,
                      bool (*each)(const kernel_law *law, const setting *s,
                                   const points *p));

/* For the tests: every law of the list holds everywhere; every law of the
 * list catches a fault. Both fail with a message. */
void laws_hold(const kernel_law *laws);
void laws_catch_faults(const kernel_law *laws);

/* ---- what laws are made of ---- */

/* Its temperature is part of the state, and stays when x is replaced; exact
 * draws are those of both (test_simulated_tempering.c). */
bool wanders(const cs_kernel_type *type);

/* Every kernel must come under the law; it applies to each setting. */
bool owed_by_all(const cs_kernel_type *type);
bool applies_everywhere(const setting *s, const points *p);
/* Whether the kernel asks for no more of a target than densities and slopes:
 * no bonds, no resampling of its own. */
bool takes_any_target(const cs_kernel_type *type);

/* A block of `live` chains of the setting, all started at x. */
cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x);
/* The streams of another seed from now on. */
void reseed_block(cs_block *b, uint64_t seed);
/* One step with the setting's own values. */
void one_step(const setting *s, cs_block *b);

/* The p-value of counts against probabilities; cells that are expected less
 * than 10 times are put together; 0 if the impossible happened. */
double counts_p_value(const double *count, const double *P, size_t n);

#endif
