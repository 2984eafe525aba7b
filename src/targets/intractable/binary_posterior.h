/* Posteriors of the parameters of bits on a graph; shared by ising_parameter
 * and autologistic. */
#pragma once

#include "targets/intractable/binary_field.h"
#include "targets/intractable/family.h"
#include "targets/intractable/potts_field.h"

typedef struct cs_binary_posterior {
    cs_family family; /* must be the first member: see
                         targets/intractable/family.h */
    cs_site_graph graph;
    cs_binary_field field;
    cs_potts_field clusters; /* model for cluster draws: spins without a field,
                                as two colours */
    size_t torus[2];         /* sides of the torus; 0: not a torus of spins */
} cs_binary_posterior;

/* Fills t->self from the edges and the arguments of cs_family_make. Before the
 * call, t->self must be a cs_binary_posterior in which all members except
 * `torus` are zero. If `parameters` is 2, the model has a field. The function
 * is declared once per instruction set, although it is cold. */
cs_status CS_VARIANT(cs_binary_posterior_make)(
    cs_target *t, const cs_edges *edges, bool spins, const cs_family_kind *kind,
    const cs_value *values, cs_given_data *d, cs_error *err);
void CS_VARIANT(cs_binary_posterior_destroy)(cs_target *t);
void CS_VARIANT(cs_binary_posterior_simulate)(const cs_target *t,
                                              const cs_point *at,
                                              const cs_simulation *s);
void CS_VARIANT(cs_binary_posterior_coupling)(const cs_target *t,
                                              const cs_point *at,
                                              const cs_simulation *s,
                                              const cs_coupling *c);
void CS_VARIANT(cs_binary_posterior_sweep)(const cs_target *t,
                                           const cs_point *at,
                                           const cs_simulation *s);

#define CS_BINARY_POSTERIOR_MEMBERS                                            \
    .size = sizeof(cs_binary_posterior),                                       \
    .destroy = CS_VARIANT(cs_binary_posterior_destroy),                        \
    .factor.simulate = CS_VARIANT(cs_binary_posterior_simulate),               \
    .factor.coupling = CS_VARIANT(cs_binary_posterior_coupling),               \
    .factor.sweep = CS_VARIANT(cs_binary_posterior_sweep), CS_FAMILY_MEMBERS
