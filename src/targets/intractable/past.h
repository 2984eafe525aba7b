/* Coupling from the past: exact draws of data y ~ f(theta, y) / Z(theta),
 * without Z, for many lanes at once, each with its own theta.
 *
 * Propp and Wilson, "Exact sampling with coupled Markov chains and applications
 * to statistical mechanics" (1996). One sweep of a Markov chain that leaves the
 * law invariant is a map phi(y, u) of the state and of random numbers u. Run
 * from time -T to time 0 from every state at once, with u_-T .. u_-1; if all
 * have become one state, that state is a draw. If not, T is doubled, and the
 * numbers u_-1, u_-2, ... must stay the same: new ones would bias the draw. It
 * would also be biased to return the state at the time of coalescence, or to
 * keep only draws that coalesce early.
 *
 * Row r of a lane's stream is a function of r: the numbers of time -t have
 * their own rows and are generated again. "Every state" is a bounding chain:
 * low and high ends where the map is monotone (either way), else the sets of
 * values that each site may have (Huber, "Perfect sampling using bounding
 * chains", 2004).
 *
 * The draw of a lane depends only on its theta and its random numbers, not on
 * other lanes: finished lanes leave, and the others move together. */
#pragma once

#include "target/target.h"

enum {
    CS_PAST_LANES = 64,    /* lanes that move together: the bits of a word */
    CS_PAST_NUMBERS = 4096 /* numbers drawn at a time */
};

/* A group of bounding chains that move together. */
typedef struct cs_past_block {
    const void *model;   /* parameters of the type */
    const double *theta; /* [parameters][lanes] */
    size_t lanes;        /* whole vectors, up to CS_PAST_LANES */
    size_t live;         /* live lanes; the others repeat the last of them */
    double *memory;      /* [words][lanes], aligned to CS_ALIGN */
} cs_past_block;

/* A kind of chain. A sweep is a sequence of updates with one random number
 * each: number r is u[.][lanes] of row r. */
typedef struct cs_past_type {
    size_t (*words)(const void *model); /* words of memory per lane */
    size_t (*rows)(const void *model);  /* updates of a sweep */
    /* Computes from theta the tables for updates; memory is uninitialised. */
    void (*begin)(const cs_past_block *b);
    /* Sets every state as possible; NULL for a type that only sweeps. */
    void (*forget)(const cs_past_block *b);
    /* Makes n updates from number `row` on; `back`: in the reverse order of the
     * sweep, with `row` counted in that order. */
    void (*update)(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u);
    /* Returns bits: bit l is set if live lane l has more than one state
     * left. */
    uint64_t (*open)(const cs_past_block *b);
    /* Returns the number of sites of lane l with more than one possible
     * value. */
    size_t (*left)(const cs_past_block *b, size_t l);
    /* OPTIONAL. Sets open[n_data] to 1 at such sites, else 0. */
    void (*mark)(const cs_past_block *b, size_t l, double *open);
    /* Writes the single remaining state of lane l to y[i stride]. */
    void (*write)(const cs_past_block *b, size_t l, double *y, size_t stride);
    /* Sets the state of lane l to y[i stride]; NULL for a type that is not
     * swept. */
    void (*read)(const cs_past_block *b, size_t l, const double *y,
                 size_t stride);
    /* OPTIONAL, both: the conversion of the state at time 0 to data, and the
     * number of additional random numbers that it takes, given like those of a
     * sweep. */
    size_t (*last_rows)(const void *model);
    void (*finish)(const cs_past_block *b, size_t row, size_t n,
                   const double *u);
} cs_past_type;

/* Data sets of one kind. */
typedef struct cs_past_model {
    const cs_past_type *type;
    const void *of;    /* [borrowed] */
    size_t parameters; /* number of components of theta */
    size_t n_data;
    double limit; /* largest number of updates of a draw */
} cs_past_model;

/* Returns the words of scratch per lane that the functions below need. */
size_t cs_past_words(const cs_past_model *m);

/* Implements `simulate` of a target type, with at->x as theta; s->left marks
 * lanes beyond the limit, whose data is NAN. Padding lanes get the data of the
 * last live lane. */
void cs_past_draw(const cs_past_model *m, const cs_point *at,
                  const cs_simulation *s);

/* The same with one of two kinds of chain: `above` if theta_1 >= from. Scratch
 * has one row more than either needs. */
void cs_past_draw_either(const cs_past_model *below, const cs_past_model *above,
                         double from, const cs_point *at,
                         const cs_simulation *s);

/* Implements `sweep` of a target type: each sweep updates every site in order
 * and then in reverse order, which is reversible, as each update is. */
void cs_past_sweep(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s);

/* Implements `coupling` of a target type. */
void cs_past_watch(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s, const cs_coupling *c);
