/* A finite auxiliary chain from tables. */
#pragma once

#include "theory/auxiliary.h"

/* Rows of probabilities: [borrowed], and outlives the chain. */
typedef struct cs_chain_tables {
    size_t n, n1, n2; /* states; values of omega_1 and of omega_2, at least 1 */
    const double *logp;    /* [n] log pi, up to a constant */
    const double *f;       /* [n] NULL: the number of the state */
    const double *first;   /* [n][n1] P_a(k); NULL: there is no omega_1 */
    const double *propose; /* [n1][n][n] q_k(a, b) */
    const double
        *second; /* [n1][n][n][n2] P_ab(w | k); NULL: omega_2 is omega_1 */
    const double *drawn; /* [n1][n][n][n2] what omega_2 is drawn from, where it
                              is not P_ab; NULL: it is */
    cs_aux_rule rule;
} cs_chain_tables;

/* CS_RANGE, with the place counted from 1, where a row holds what is no
 * probability or does not sum to 1 (those of q: to at most 1). [own:
 * cs_aux_chain_free] */
cs_status cs_table_chain(const cs_chain_tables *t, cs_aux_chain *out,
                         cs_error *err);
