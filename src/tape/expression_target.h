/* A target whose log density is an expression. */
#pragma once

#include "expr/graph.h"
#include "tape/sites/site_programs.h"
#include "target/target.h"

/* Tells a graph, whose input has the dimension of the space, which coordinates
 * have integer values. Returns false if out of memory. */
bool cs_tape_set_ranges(cs_graph *g, const cs_space *space);

/* Creates the target on `space` with log density `logp`, a number of graph g,
 * whose input has the space's dimension and, in a mixed space, its ranges.
 * Always takes ownership of the graph. [own, cs_target_release] */
cs_status cs_tape_target_create(cs_graph *g, cs_node logp,
                                const cs_space *space, cs_target **out,
                                cs_error *err);

/* Returns the graph and log density of a traced target; NULL for other targets.
 * [borrowed] */
const cs_graph *cs_tape_target_graph(const cs_target *t, cs_node *logp);

/* `again` creates another copy of the target, with line numbers. `release`
 * frees `self` [own]. */
typedef struct cs_tape_origin {
    cs_status (*again)(void *self, cs_target **out, cs_error *err);
    void (*release)(void *self);
    void *self;
} cs_tape_origin;

/* Transfers ownership of the origin to the target. */
void cs_tape_target_set_origin(cs_target *t, cs_tape_origin origin);

/* A program of a target, with its roots in the graph. */
typedef struct cs_tape_part {
    const char *name;
    const cs_program *program;
    cs_node roots[2];
    size_t n_roots;
} cs_tape_part;

enum { CS_TAPE_PARTS = 2 };

/* The internals of a traced target, for inspection. [borrowed] */
typedef struct cs_tape_inside {
    const cs_graph *graph;
    cs_tape_part part[CS_TAPE_PARTS]; /* the log density, the gradient */
    const cs_site_programs *locals;   /* NULL: changes of log p by one site are
                                         computed from complete evaluations */
    double seconds;                   /* seconds that compiling took */
    const cs_tape_origin *origin;     /* NULL: the target already has all line
                                       * numbers */
} cs_tape_inside;

/* Gets the internals of a traced target; returns false for other targets. */
bool cs_tape_target_inside(const cs_target *t, cs_tape_inside *out);
