/* A finite auxiliary chain from tables. */
#pragma once

#include "theory/auxiliary.h"

/* Tables of probabilities. [borrowed] They must outlive the chain. */
typedef struct cs_chain_tables {
    size_t n, n1, n2;   /* numbers of states, of values of omega_1, and of
                           values of omega_2; each at least 1 */
    const double *logp; /* [n] log pi, up to a constant */
    const double *f;    /* [n] function f; NULL: f is the number of the state */
    const double *first;   /* [n][n1] P_a(k); NULL: there is no omega_1 */
    const double *propose; /* [n1][n][n] proposal probabilities q_k(a, b) */
    const double
        *second; /* [n1][n][n][n2] P_ab(w | k); NULL: omega_2 is omega_1 */
    const double *drawn; /* [n1][n][n][n2] the distribution from which omega_2
                            is drawn; NULL: omega_2 is drawn from P_ab */
    cs_aux_rule rule;
} cs_chain_tables;

/* Creates the chain. Fails with CS_RANGE if an entry is not a probability, or
 * if the sum of a row is not 1 (in q: is more than 1). The message counts rows
 * and entries from 1. [own: cs_aux_chain_free] */
cs_status cs_table_chain(const cs_chain_tables *t, cs_aux_chain *out,
                         cs_error *err);
