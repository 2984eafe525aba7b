/* Diagnosed draws: the draws from which convergence diagnostics are
 * computed. */
#pragma once

#include "chain/narrow_row.h"
#include "files/spill.h"
#include "run/arms/share.h"
#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "run/draws/tiles.h"
#include "stat/diagnostics.h"
#include "stat/multivariate_size.h"
#include "warn/warnings.h"

/* The row of the diagnostics table with the smallest ESS, and the standard
 * error of log ESS in this row. The error is estimated from the draws
 * (run/draws/size_errors.h). NAN: the error is unknown, or the probe reports
 * it. */
typedef struct cs_worst {
    size_t row;
    double error;
} cs_worst;

/* The diagnosed draws of an arm, and their latest diagnoses (diagnose.c). */
typedef struct cs_diagnosed {
    /* [chains][capacity][cs_diagnosed_row] log p, log weight (if any),
     * quantities; see cs_is_draw */
    double *rows;
    cs_spill memory; /* memory of `rows` [own] */
    bool once;       /* the run never goes back: large draws may be in tiles */
    cs_tiles *tiles; /* draws in tiles; `rows` is then their window, and the
                      * capacity is the window's. NULL: all are in `rows` [own] */
    size_t released; /* rows whose pages were released (files/spill.h) */
    size_t prepared; /* rows to which zeros or draws were written */
    bool bytes;      /* the quantities are bytes: chain/narrow_row.h */
    size_t chains;   /* number of chains stored: the first ones (diagnosed.c) */
    size_t capacity, most; /* present and maximum capacity, in rows */
    size_t lead, coordinates;
    /* number of steps per kept draw if all written draws are kept; 0: the
     * default thinning is used */
    uint64_t written;
    uint64_t thin; /* steps between written draws */
    bool in_files; /* the first row is also the first row of the files */
    /* [chains] in a merged run: true for chains whose rows must be read from a
     * file; NULL: no such chains [own] */
    bool *lacking;
    /* true: the rows of at least one rank are not regular (see is_regular) */
    bool irregular;
    bool true_logp;      /* the probe evaluates log p of the target */
    cs_diagnosis *found; /* [1 + coordinates] diagnoses [own] */
    cs_worst worst;
    cs_probabilities quantiles; /* that are reported */
    cs_joint_size joint;        /* of all quantities; without its error */
    double kish;          /* effective sample size (stat/weighted.h); NAN: equal
                           * weights */
    cs_warnings warnings; /* warnings from the diagnosed draws [own] */
    uint64_t epoch;       /* epoch of the run when diagnosed; 0: never */
} cs_diagnosed;

/* A chain in a view of the rows, or in a copy of them. */
typedef struct cs_diagnosed_chain {
    const double *row; /* [rows][width]; NULL: the rows are in tiles */
    size_t number;     /* number of the chain, from 1 */
    size_t draws;      /* number of rows that are draws of the target */
    bool failed;
    size_t index; /* number of the chain in the tiles, from 0 */
} cs_diagnosed_chain;

typedef struct cs_diagnosed_view {
    cs_diagnosed_chain *chain; /* [n] [own] */
    double *copy; /* [own] copied rows; NULL: the view shows rows of the run */
    const cs_spill *memory; /* memory of the rows; NULL: a copy, or tiles
                             * [borrowed] */
    const cs_tiles *tiles;  /* the rows, if they are in tiles [borrowed] */
    size_t n, rows, width, capacity;
    size_t lead;       /* number of words before the quantities in a row */
    size_t quantities; /* in a row */
    bool bytes;        /* they are stored as bytes: chain/narrow_row.h */
    size_t chains, of; /* number of chains in the view, and of all chains */
    /* every: steps per row; missing: number of rows missing at the start */
    uint64_t every, missing;
    bool whole;   /* no thinning: a row per step or, if draws are written, per
                   * written draw */
    bool weighed; /* some rows may not be draws of the target */
    cs_logp_kind logp;          /* kind of log p in the rows */
    cs_probabilities quantiles; /* that are reported */
} cs_diagnosed_view;

/* Returns the number of words in a row. */
static inline size_t cs_diagnosed_row(const cs_diagnosed *j)
{
    return j->lead + cs_narrow_words(j->bytes, j->coordinates);
}

/* Returns the value in a column of a row. The first `lead` columns precede the
 * quantities. */
static inline double cs_diagnosed_number(const cs_diagnosed_view *v,
                                         const double *row, size_t column)
{
    return column < v->lead
               ? row[column]
               : cs_narrow_get(row + v->lead, v->bytes, column - v->lead);
}

/* Reads the rows of a chain in order, wherever they are. */
typedef struct cs_row_reader {
    const cs_diagnosed_view *view;
    const cs_diagnosed_chain *chain;
    double *tile; /* [2][height][width] rows `first` to `end` of tiles, then
                   * scratch; NULL: the rows are in memory [own] */
    size_t first, end;
} cs_row_reader;

/* Begins to read a chain. Returns false if memory runs out. */
bool cs_rows_begin(cs_row_reader *r, const cs_diagnosed_view *v,
                   const cs_diagnosed_chain *c);
void cs_rows_end(cs_row_reader *r);
void cs_rows_load(cs_row_reader *r, size_t i); /* loads the tile with row i */

/* Returns row i [borrowed until the next row is read]. */
static inline const double *cs_rows_at(cs_row_reader *r, size_t i)
{
    if (!r->tile)
        return r->chain->row + i * r->view->width;
    if (i < r->first || i >= r->end)
        cs_rows_load(r, i);
    return r->tile + (i - r->first) * r->view->width;
}

/* Returns the memory for diagnosed draws per chain, in words. */
double cs_diagnosed_words(const cs_run *r, const cs_arm *a);
cs_status cs_diagnosed_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_diagnosed_make_room(cs_arm *a); /* makes room for the next steps */
/* Allocates `rows` rows per chain. If that is impossible, returns false. */
bool cs_diagnosed_fits(const cs_run *r, cs_arm *a, uint64_t rows);
/* Sets the number of rows that are used, and the steps between rows. */
void cs_diagnosed_place(cs_arm *a, uint64_t every, size_t used);
/* Returns the number of rows per chain, and the steps between rows. */
size_t cs_diagnosed_rows(const cs_arm *a, uint64_t *every);
/* Returns true if the files contain all rows that are draws, and if the files
 * begin with these rows. */
bool cs_diagnosed_in_files(const cs_arm *a);
/* Marks the rows of the chains `to_files` as present only in files. Returns
 * false if memory runs out. */
bool cs_diagnosed_leave(cs_arm *a, cs_chains to_files);
void cs_diagnosed_free(cs_arm *a);
/* Opens a view of a sample of the chains; if `sample` is NULL, of all chains.
 * Returns false if memory runs out or if no rows exist. Close the view with
 * cs_diagnosed_end. */
bool cs_diagnosed_look(const cs_arm *a, const cs_run_sample *sample,
                       cs_diagnosed_view *v);
/* Replaces the rows of a view by a copy for another thread. The copy is thinned
 * evenly, to the number of draws per chain that a run keeps if it writes no
 * files. */
bool cs_diagnosed_copy(cs_diagnosed_view *v);
/* Copies only log p, the weight and the n given coordinates (from 0), which are
 * then the only quantities in the view. */
bool cs_diagnosed_copy_some(cs_diagnosed_view *v, const size_t *coordinate,
                            size_t n);
void cs_diagnosed_end(cs_diagnosed_view *v);
