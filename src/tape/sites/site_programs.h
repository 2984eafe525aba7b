/* The part of a log density that depends on one coordinate.
 *
 * A log density is a sum of terms. The difference
 * log p(x with x_i = v) - log p(x) needs only the terms that depend on x_i. For
 * each coordinate, these terms become a small program, whose inputs are the few
 * coordinates that the terms read. */
#pragma once

#include "tape/program.h"
#include "tape/sites/site_colours.h"

/* The terms that depend on one coordinate, as a program whose input k is
 * coordinate input[k] of the state; input[0] is the coordinate itself. */
typedef struct cs_site_program {
    const uint32_t *input; /* [n_input], in the list of all sites */
    size_t n_input;
    const double *constant; /* [n_constant] further inputs of the program: the
                             * constants that differ in the family, in the list
                             * of all sites */
    size_t n_constant;
    cs_program *program; /* root 0 is the sum of the terms; coordinates may
                          * share a program */
    const bool *shared;  /* [n_input] of the family: the input is the same
                          * coordinate at all its sites; NULL: no program */
} cs_site_program;

typedef struct cs_site_programs {
    cs_site_program *at; /* [dim] without a program for real coordinates */
    size_t dim, n_sites;
    cs_program **programs; /* [own] [n_programs] the distinct programs, each
                            * [own] */
    size_t n_programs;
    size_t max_inputs, max_slots; /* maxima over sites; the inputs include
                                   * constants */
    uint32_t *input;  /* [own] the inputs of all sites, in the order of the
                       * sites */
    double *constant; /* [own] the constants of all sites */
    bool *shared;     /* [own] the flags of all families */
    cs_site_colours colours;
} cs_site_programs;

/* Creates the programs of the sites, which are all coordinates with a range or,
 * without ranges, all coordinates, for node `root` of g. *out is NULL (with
 * CS_OK) if they would not save time. This is the case if together they have
 * more than `dim / 4` times the operations of the whole density. [own,
 * cs_site_programs_destroy] */
cs_status cs_site_programs_create(const cs_graph *g, cs_node root,
                                  cs_site_programs **out, cs_error *err);
void cs_site_programs_destroy(cs_site_programs *l);
