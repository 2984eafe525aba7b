/* The law book of kernels. It contains the laws of src/check, which `chainscope
 * check` tries on a user's kernels. It also contains laws that need parts of
 * the tests (formulas in papers, draws by another generator, unusual targets,
 * memory that fails). Each law is tried with every setting of every registered
 * kernel on every compatible small target. Each law must fail for kernels with
 * planted faults. tests/README.md explains how to run and add a law. */
#pragma once

#include "chain/block.h"
#include "check/laws.h"
#include "support/matrix.h"

enum { LAW_CHAINS = 40 };

/* A kernel with parameter values. */
typedef struct setting {
    cs_kernel kernel;
    const char *formula;     /* name for matrix_of, usually the kernel's name */
    const cs_metric *metric; /* NULL: the unit matrix [borrowed] */
} setting;

typedef struct kernel_law {
    const char *name; /* if `holds` is NULL, the name of a law of src/check */
    /* Returns true if the law must be tried somewhere on this type of kernel;
     * NULL: the condition of src/check. */
    bool (*owed)(const cs_kernel_type *type);
    bool (*applies)(const setting *s, const points *p); /* NULL: always */
    bool (*holds)(const setting *s, const points *p);
} kernel_law;

/* Lists of laws. check_laws: laws of src/check; step_laws: laws that compare a
 * step with formulas (matrices, frequencies); aux_laws: laws of auxiliary
 * variables; limit_laws: laws for extreme numbers and for a lack of memory;
 * run_laws: laws of whole runs; chance_laws: statistics of long runs;
 * window_laws, cycle_laws: laws of kernels that move a part of a state. The last
 * entry of each list has a NULL name. */
extern const kernel_law check_laws[], step_laws[], aux_laws[], limit_laws[],
    run_laws[], chance_laws[], window_laws[], cycle_laws[];
extern const kernel_law *const law_book[]; /* all lists; ends with NULL */

/* A fault: functions that replace those of a registered kernel. */
typedef struct kernel_fault {
    const char *law, *kernel;
    const cs_target_type *target;
    double value[5];
    cs_kernel_type with; /* its non-NULL members replace those of the kernel */
} kernel_fault;

extern const kernel_fault kernel_faults[]; /* the last entry has a NULL law */
/* Copies the registered kernel, and applies the fault to the copy. Only one
 * fault is active at a time. */
void kernel_spoil(const kernel_fault *f, cs_kernel_type *out);

/* The small targets; the last entry is NULL. */
extern const cs_target_type *const law_grounds[];
/* Finds setting number k of a kernel; number 0 has the defaults. Returns false
 * if k is too large. */
bool law_setting(const cs_kernel_type *type, size_t k, setting *s);
bool law_has_defaults(const setting *s);
bool law_fits(const setting *s, const points *p);

/* Calls `each` for every setting and target to which the law applies, until
 * `each` returns false. Returns the number of calls that returned true. */
size_t law_everywhere(const kernel_law *law, const cs_kernel_type *type,
                      bool (*each)(const kernel_law *law, const setting *s,
                                   const points *p));
const kernel_law *law_find(const char *name); /* in all lists, or NULL */
bool law_owed(const kernel_law *law, const cs_kernel_type *type);

/* The result of a law, with the number and the sentence that src/check reports
 * ("" if src/check reports no sentence). */
typedef struct law_result {
    bool holds, tried; /* tried: a verdict was possible */
    char text[256];
} law_result;
law_result law_try(const kernel_law *law, const setting *s, const points *p);
/* Returns true if the kernel draws several sites, and if its log_q is the
 * density of the sites in the order drawn. Returns false if its log_q is the
 * density of the set of these sites. */
bool law_proposes_in_order(const setting *s);
/* Tries a law of src/check. */
law_result law_check(const char *name, const setting *s, const points *p);
/* Tries a law of src/check with n draws in its first round. */
law_result law_check_draws(const char *name, const setting *s, const points *p,
                           size_t n);

/* Checks that every law of the list holds everywhere, and that it was tried on
 * every kernel that requires the law. Prints one line per law. LAW=record and
 * KERNEL=mala in the environment restrict the test. */
void laws_hold(const kernel_law *laws);
/* Checks that every law of the list detects the faults planted for this law. */
void laws_catch_faults(const kernel_law *laws);

/* ---- parts of laws ------------ */

/* Returns true for kernels whose state contains more than x: a temperature (see
 * test_simulated_tempering.c), or learned weights. The learned weights are kept
 * when x is replaced. */
bool wanders(const cs_kernel_type *type);

/* Returns true, which means that the law must be tried on every kernel. */
bool owed_by_all(const cs_kernel_type *type);
/* Returns true if a kernel needs only the density and the slope of a target,
 * but neither the bonds nor the resampling method of a target. */
bool takes_any_target(const cs_kernel_type *type);

/* Creates a block of `live` chains with the setting, all started at x. */
cs_block *open_block(const setting *s, cs_target *target, uint64_t seed,
                     size_t live, const double *x);
/* Makes one step with the parameter values of the setting. */
void one_step(const setting *s, cs_block *b);
