/* Cycles and mixtures of kernels on small spaces, and their matrices. */
#pragma once

#include "support/laws.h"

#include "kernel/composed.h"

enum {
    COMPOSED_STATES = 48, /* states of small_listed and small_cached */
    COMPOSED_DIM = 4,
    COMPOSED_LIVE = 5,    /* chains of composed_compare_blocks */
    COMPOSED_KERNELS = 16 /* composed kernels in a tree */
};

/* A member with the values of its first parameters. */
typedef struct composed_part {
    const char *name, *kernel; /* kernel: "cycle" and "mixture" have members */
    double value[3];
    size_t n_values;
    uint32_t coordinate[2];
    size_t n;
    uint64_t times;
    double weight;
    const struct composed_part *inside; /* [n_inside] members */
    size_t n_inside;
} composed_part;

/* The last fields of a member that is a plain kernel with weight 1. */
#define LEAF 1, NULL, 0

/* A tree of kernels. */
typedef struct composed_tree {
    cs_kernel kernel; /* the kernel at the root */
    cs_kernel inner[COMPOSED_KERNELS];
    size_t n;
} composed_tree;

/* The target with its states. */
typedef struct composed_whole {
    cs_target *t;
    double x[COMPOSED_STATES][COMPOSED_DIM], logp[COMPOSED_STATES],
        g[COMPOSED_STATES][COMPOSED_DIM], pi[COMPOSED_STATES];
} composed_whole;

cs_target *composed_target(const cs_target_type *type);
void composed_fill(composed_whole *w, const cs_target_type *type);

/* Creates the cycle of n plain members. */
cs_status composed_open(cs_target *t, const composed_part *p, size_t n,
                        cs_kernel *k, cs_error *err);

/* Creates the tree with the root p, bound to t. Free it with
 * composed_tree_close, also after a failure. */
cs_status composed_tree_open(composed_tree *tree, cs_target *t,
                             const composed_part *p, cs_error *err);
void composed_tree_close(composed_tree *tree);

/* Computes the matrix of a member by the formulas of the kernels: the product of
 * the members' matrices for a cycle, their mean for a mixture. All matrices must
 * leave the target invariant to 1e-12. */
void composed_matrix(const composed_whole *w, const composed_part *p,
                     double *P);

/* Creates a block of `live` chains at the starts. */
cs_block *composed_chains(cs_target *t, const cs_kernel *k, size_t live,
                          const double *const *start);

/* Asserts that single chains, several chains, and a block that was loaded make
 * the same steps from the states x. */
void composed_compare_blocks(cs_target *t, const cs_kernel *k,
                             const double (*x)[COMPOSED_DIM]);

/* Returns the smallest p-value of the rows, times the number of rows, of real
 * steps of a kernel against a matrix. */
double composed_frequencies(const composed_whole *w, const cs_kernel *k,
                            const double *P);

/* Does the same with the inverse temperatures power[LAW_CHAINS]; w is the
 * tempered target. */
double composed_frequencies_at(const composed_whole *w, const cs_kernel *k,
                               const double *P, const double *power);
