/* Coupling from the past: exact draws of data y ~ f(theta, y) / Z(theta),
 * without Z, for many lanes at once, each with its own theta.
 *
 * Propp and Wilson, "Exact sampling with coupled Markov chains and applications
 * to statistical mechanics" (1996). A sweep of a Markov chain that leaves the
 * distribution invariant is a map phi(y, u) of the state and of random numbers
 * u. The chain runs from time -T to time 0 from every state at once, with u_-T
 * .. u_-1. If all states have coalesced into one, this state is a draw. If not,
 * T is doubled, and the numbers u_-1, u_-2, ... must be used again, because new
 * numbers would bias the draw. Returning the state at the time of coalescence
 * would also bias the draw, and so would keeping only draws that coalesce
 * early.
 *
 * Row r of a lane's stream is a function of r. The numbers of time -t have
 * their own rows, and are therefore generated again. A bounding chain follows
 * all states at once. If the map is monotone (increasing or decreasing), the
 * chain consists of the lowest and the highest state; otherwise it consists of
 * the set of values that each site may have (Huber, "Perfect sampling using
 * bounding chains", 2004).
 *
 * The draw of a lane depends only on the theta and the random numbers of this
 * lane, and not on other lanes. Finished lanes are removed, and the other lanes
 * continue together. */
#pragma once

#include "target/target.h"

enum {
    CS_PAST_LANES = 64,    /* number of lanes that are updated together, as the
                              bits of a word */
    CS_PAST_NUMBERS = 4096 /* number of random numbers generated together */
};

/* A group of bounding chains that are updated together. */
typedef struct cs_past_block {
    const void *model;   /* parameters that the type defines */
    const double *theta; /* [parameters][lanes] theta of each lane */
    size_t lanes;        /* number of lanes, in full vectors, at most
                            CS_PAST_LANES */
    size_t live;         /* number of live lanes; the other lanes repeat the
                            last live lane */
    double *memory;      /* [words][lanes] memory of the chains, aligned to
                            CS_ALIGN */
} cs_past_block;

/* A kind of chain. A sweep is a sequence of updates. Each update uses one
 * random number per lane: update r uses u[.][lanes] of row r. */
typedef struct cs_past_type {
    size_t (*words)(const void *model); /* size of the memory in words per
                                           lane */
    size_t (*rows)(const void *model);  /* number of updates in a sweep */
    /* Computes the tables for the updates from theta. The memory is
     * uninitialised before the call. */
    void (*begin)(const cs_past_block *b);
    /* Makes every state possible; NULL for a type that is only used for
     * sweeps. */
    void (*forget)(const cs_past_block *b);
    /* Makes n updates, starting with number `row`. If `back` is true, the
     * updates run in the reverse order of the sweep, and their numbers are
     * counted in that order. */
    void (*update)(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u);
    /* Returns a bit mask of those live lanes that have more than one possible
     * state. */
    uint64_t (*open)(const cs_past_block *b);
    /* Returns how many sites have more than one possible value in lane l. */
    size_t (*left)(const cs_past_block *b, size_t l);
    /* OPTIONAL. Sets open[n_data] to 1 at the sites that have more than one
     * possible value in lane l, and to 0 at the other sites. */
    void (*mark)(const cs_past_block *b, size_t l, double *open);
    /* Writes the single remaining state of lane l to y[i stride]. */
    void (*write)(const cs_past_block *b, size_t l, double *y, size_t stride);
    /* Sets the state of lane l to y[i stride]; NULL for a type that is not used
     * for sweeps. */
    void (*read)(const cs_past_block *b, size_t l, const double *y,
                 size_t stride);
    /* OPTIONAL. `finish` converts the state at time 0 to data. last_rows
     * returns the number of additional random numbers that `finish` uses; these
     * are stored like the numbers of a sweep. Either both functions are given,
     * or neither is given. */
    size_t (*last_rows)(const void *model);
    void (*finish)(const cs_past_block *b, size_t row, size_t n,
                   const double *u);
} cs_past_type;

/* A model of data with a kind of chain. */
typedef struct cs_past_model {
    const cs_past_type *type;
    const void *of;    /* parameters that the type defines [borrowed] */
    size_t parameters; /* number of components of theta */
    size_t n_data;
    double limit; /* largest number of updates for one draw */
} cs_past_model;

/* Returns the number of scratch words per lane that the functions below
 * need. */
size_t cs_past_words(const cs_past_model *m);

/* Implements `simulate` of a target type; at->x is theta. s->left marks the
 * lanes that reached the limit of updates; the data of these lanes are NAN.
 * Padding lanes get the data of the last live lane. */
void cs_past_draw(const cs_past_model *m, const cs_point *at,
                  const cs_simulation *s);

/* Draws like cs_past_draw, but with two kinds of chain: `above` for lanes with
 * theta_1 >= from, `below` for all other lanes. Needs one scratch row more than
 * the kind that needs the most rows. */
void cs_past_draw_either(const cs_past_model *below, const cs_past_model *above,
                         double from, const cs_point *at,
                         const cs_simulation *s);

/* Implements `sweep` of a target type: each sweep updates every site in order
 * and then in reverse order. The sweep is reversible, because each update is
 * reversible. */
void cs_past_sweep(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s);

/* Implements `coupling` of a target type. */
void cs_past_watch(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s, const cs_coupling *c);
