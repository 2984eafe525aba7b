/* Coupling from the past: exact draws of data y ~ f(theta, y) / Z(theta),
 * without Z, of many lanes at once, each with a theta of its own.
 *
 * Propp and Wilson, "Exact sampling with coupled Markov chains and applications
 * to statistical mechanics" (1996). One sweep of a Markov chain that leaves the
 * law invariant is a map phi(y, u) of the state and of random numbers u. Run
 * from time -T to time 0 from every state at once, with u_-T .. u_-1; if all
 * have become one state, that state is a draw. If not, T is doubled, and the
 * numbers u_-1, u_-2, ... are the same as before: with new ones the draw would
 * have another law. So are draws that are given at the time at which the states
 * become one, and draws that are given only if that was soon.
 *
 * Row r of a lane's stream is a function of r: the numbers of time -t are rows
 * of their own and are asked for again. "Every state" is a bounding chain: low
 * and high ends where the map is monotone (either way), else the sets of values
 * that each site may have (Huber, "Perfect sampling using bounding chains",
 * 2004).
 *
 * What a lane is given depends on its theta and its numbers alone, whoever is
 * beside it: lanes that are done leave, the others move together. */
#pragma once

#include "target/target.h"

enum {
    CS_PAST_LANES = 64,    /* that move together: the bits of a word */
    CS_PAST_NUMBERS = 4096 /* drawn at a time */
};

/* Bounding chains that move together. */
typedef struct cs_past_block {
    const void *model;   /* of the type's own kind */
    const double *theta; /* [parameters][lanes] */
    size_t lanes;        /* whole vectors, up to CS_PAST_LANES */
    size_t live;         /* the others repeat the last of these */
    double *memory;      /* [words][lanes], aligned to CS_ALIGN */
} cs_past_block;

/* A kind of chain. A sweep is so many updates as it takes numbers, one after
 * the other: number r is u[.][lanes] of row r. */
typedef struct cs_past_type {
    size_t (*words)(const void *model); /* of memory, a lane */
    size_t (*rows)(const void *model);  /* updates of a sweep */
    /* Computes from theta what updates need; memory is anything. */
    void (*begin)(const cs_past_block *b);
    /* Every state is possible; not of a type that only sweeps. */
    void (*forget)(const cs_past_block *b);
    /* n updates from number `row` on; `back`: those of the sweep in reverse
     * order, of which it is number `row`. */
    void (*update)(const cs_past_block *b, bool back, size_t row, size_t n,
                   const double *u);
    /* Bit l: lane l, which is live, has more than one state left. */
    uint64_t (*open)(const cs_past_block *b);
    /* How many sites of lane l may have more than one value. */
    size_t (*left)(const cs_past_block *b, size_t l);
    /* OPTIONAL. open[n_data] = 1 where that is so, else 0. */
    void (*mark)(const cs_past_block *b, size_t l, double *open);
    /* The state of lane l, which is not open: y[i stride]. */
    void (*write)(const cs_past_block *b, size_t l, double *y, size_t stride);
    /* Makes y[i stride] the one state of lane l; not of a type that is not
     * swept. */
    void (*read)(const cs_past_block *b, size_t l, const double *y,
                 size_t stride);
    /* OPTIONAL, both: what makes data of the state at time 0 takes so many
     * numbers more, given as those of a sweep. */
    size_t (*last_rows)(const void *model);
    void (*finish)(const cs_past_block *b, size_t row, size_t n,
                   const double *u);
} cs_past_type;

/* Data sets of one kind. */
typedef struct cs_past_model {
    const cs_past_type *type;
    const void *of;    /* [borrowed] */
    size_t parameters; /* numbers of theta */
    size_t n_data;
    double limit; /* updates that a draw may take */
} cs_past_model;

/* Words of scratch a lane that the functions below need. */
size_t cs_past_words(const cs_past_model *m);

/* What `simulate` of a target type is to do, at->x being theta; lanes past the
 * limit are told by s->left, and their data is NAN. Padding lanes get the data
 * of the last one that is live. */
void cs_past_draw(const cs_past_model *m, const cs_point *at,
                  const cs_simulation *s);

/* The same by one of two kinds of chain: `above` where theta_1 >= from. Scratch
 * has one row more than either needs. */
void cs_past_draw_either(const cs_past_model *below, const cs_past_model *above,
                         double from, const cs_point *at,
                         const cs_simulation *s);

/* What `sweep` of a target type is to do: each sweep updates every site in
 * order and then in reverse order, which is reversible, as each update is. */
void cs_past_sweep(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s);

/* What `coupling` of a target type is to do. */
void cs_past_watch(const cs_past_model *m, const cs_point *at,
                   const cs_simulation *s, const cs_coupling *c);
