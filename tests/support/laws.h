/* The law book of kernels: the laws of src/check, which `chainscope check`
 * tries on a user's kernels, and laws that need test-only parts (papers'
 * formulas, draws by another generator, odd targets, memory that fails). A law
 * is tried with every setting of every registered kernel on every compatible
 * small target, and on kernels with planted faults, where it must NOT hold. How
 * to run one, how to add one: tests/README.md. */
#pragma once

#include "chain/block.h"
#include "check/laws.h"
#include "support/matrix.h"

enum { LAW_CHAINS = 40 };

/* A kernel with values for its parameters. */
typedef struct setting {
    cs_kernel kernel;
    const char *formula;     /* the name for matrix_of: that of the kernel */
    const cs_metric *metric; /* NULL: the unit one [borrowed] */
} setting;

typedef struct kernel_law {
    const char *name; /* without `holds`: that of a law of src/check */
    /* Every kernel of this kind must be covered by the law somewhere; NULL: as
     * src/check has it. */
    bool (*owed)(const cs_kernel_type *type);
    bool (*applies)(const setting *s, const points *p); /* NULL: everywhere */
    bool (*holds)(const setting *s, const points *p);
} kernel_law;

/* Lists of laws: those of src/check; the step by formulas (matrices,
 * frequencies); auxiliary variables; the limits of numbers and memory; whole
 * runs; statistical laws of long runs. Each list ends with a NULL name. */
extern const kernel_law check_laws[], step_laws[], aux_laws[], limit_laws[],
    run_laws[], chance_laws[];
extern const kernel_law *const law_book[]; /* the lists; ends with NULL */

/* A step or a start to be put in the place of a registered kernel's own. */
typedef struct kernel_fault {
    const char *law, *kernel;
    const cs_target_type *target;
    double value[5];
    cs_kernel_type with; /* replaces where not NULL */
} kernel_fault;

extern const kernel_fault kernel_faults[]; /* ends with law NULL */
/* The registered kernel with the fault in it; one at a time. */
void kernel_spoil(const kernel_fault *f, cs_kernel_type *out);

/* The small targets and, for kernel number i of the registry, setting number
 * k: 0 has the defaults; false when there are no more. */
extern const cs_target_type *const law_grounds[];
bool law_setting(const cs_kernel_type *type, size_t k, setting *s);
bool law_has_defaults(const setting *s);
bool law_fits(const setting *s, const points *p);

/* Calls `each` for every pair that the law applies to, until it returns
 * false; returns how many calls returned true. */
size_t law_everywhere(const kernel_law *law, const cs_kernel_type *type,
                      bool (*each)(const kernel_law *law, const setting *s,
                                   const points *p));
const kernel_law *law_find(const char *name); /* in any list, or NULL */
bool law_owed(const kernel_law *law, const cs_kernel_type *type);

/* The result of a law: a number and a sentence of src/check, "" if none. */
typedef struct law_result {
    bool holds, tried; /* tried: it could be decided */
    char text[256];
} law_result;
law_result law_try(const kernel_law *law, const setting *s, const points *p);
/* A law of src/check. */
law_result law_check(const char *name, const setting *s, const points *p);
/* With n draws at its first look. */
law_result law_check_draws(const char *name, const setting *s, const points *p,
                           size_t n);

/* For the tests: every law of the list holds everywhere, and every kernel that
 * requires it was tried; every law of the list detects a fault. Both print a
 * line per law and fail with a message. LAW=record and KERNEL=mala in the
 * environment select these only. */
void laws_hold(const kernel_law *laws);
void laws_catch_faults(const kernel_law *laws);

/* ---- parts of laws ------------ */

/* Its temperature is part of the state, and exact draws are those of both
 * (test_simulated_tempering.c), or it learns weights: what stays when x is
 * replaced. */
bool wanders(const cs_kernel_type *type);

/* Every kernel must come under the law. */
bool owed_by_all(const cs_kernel_type *type);
/* Whether the kernel asks for no more of a target than densities and slopes:
 * no bonds, no resampling of its own. */
bool takes_any_target(const cs_kernel_type *type);

/* A block of `live` chains of the setting, all started at x. */
cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x);
/* One step with the setting's own values. */
void one_step(const setting *s, cs_block *b);
