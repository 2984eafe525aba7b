/* Diagnosed draws: the draws from which convergence is diagnosed. */
#pragma once

#include "run/arms/share.h"
#include "run/arms/spec.h"
#include "run/draws/sample.h"
#include "stat/diagnostics.h"
#include "warn/warnings.h"

/* The row of the table with the smallest effective size, and the standard error
 * of the logarithm of that size from the draws (run/draws/size_errors.h); NAN:
 * unknown, or the probe reports it. */
typedef struct cs_worst {
    size_t row;
    double error;
} cs_worst;

/* The diagnosed draws of an arm, and the results when they were last diagnosed
 * (diagnose.c). */
typedef struct cs_diagnosed {
    double *rows;  /* [chains][room][lead + coordinates] log p, the log weight
                    * if there is one, the quantities; cs_is_draw tells
                    * whether a row is a draw [own] */
    size_t chains; /* the first chains only, see judged.c */
    size_t room, most; /* present and maximum rows */
    size_t lead, coordinates;
    uint64_t written;    /* one draw per this many steps is kept, as written;
                          * 0: the default number */
    uint64_t thin;       /* steps between written draws */
    bool in_files;       /* the files begin with the first row */
    bool *lacking;       /* [chains] of a merged run: its rows are in a file,
                          * while those of others are not; NULL: none [own] */
    bool irregular;      /* so are rows of another rank: see is_regular */
    bool true_logp;      /* the probe evaluates log p itself */
    cs_diagnosis *found; /* [1 + coordinates] [own] */
    cs_worst worst;
    double kish;          /* effective sample size (stat/weighted.h); NAN: equal
                           * weights */
    cs_warnings warnings; /* of the diagnosed draws [own] */
    uint64_t epoch;       /* of the run when they were diagnosed; 0: never */
} cs_diagnosed;

/* A view of the rows of some chains, or of a copy. */
typedef struct cs_diagnosed_chain {
    const double *row; /* [rows][width] */
    size_t number;     /* from 1 */
    size_t draws;      /* rows that are draws of the target */
    bool failed;
} cs_diagnosed_chain;

typedef struct cs_diagnosed_view {
    cs_diagnosed_chain *chain; /* [n] [own] */
    double *copy;              /* [own] NULL: the rows of the run */
    size_t n, rows, width, room;
    size_t lead;             /* words before the quantities */
    size_t chains, of;       /* the first `chains` of the `of` chains that
                              * draw */
    uint64_t every, missing; /* rows from the start that were not kept */
    bool whole;              /* every step is present, or every written one */
    bool weighed;            /* some rows may not be draws */
    cs_logp_kind logp;       /* kind of log p in the rows */
} cs_diagnosed_view;

double cs_diagnosed_words(const cs_run *r, const cs_arm *a); /* per chain */
cs_status cs_diagnosed_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_diagnosed_make_room(cs_arm *a); /* for the next steps */
/* Allocates `rows` rows per chain; false: it is impossible. */
bool cs_diagnosed_fits(const cs_run *r, cs_arm *a, uint64_t rows);
/* Sets the number of rows. */
void cs_diagnosed_place(cs_arm *a, uint64_t every, size_t used);
/* Returns the rows per chain, and the steps between them. */
size_t cs_diagnosed_rows(const cs_arm *a, uint64_t *every);
/* True if all rows that are draws are in the files, as the first of them. */
bool cs_diagnosed_in_files(const cs_arm *a);
/* Leaves the rows of these chains to be read back from files; false: out of
 * memory. */
bool cs_diagnosed_leave(cs_arm *a, cs_chains to_files);
void cs_diagnosed_free(cs_arm *a);
/* Opens a view of a sample of the chains, NULL: of all; false: out of memory,
 * or no rows. End it with cs_diagnosed_end. */
bool cs_diagnosed_look(const cs_arm *a, const cs_run_sample *sample,
                       cs_diagnosed_view *v);
/* Replaces the rows by a copy, for another thread; evenly thinned to the number
 * that a chain keeps without files. */
bool cs_diagnosed_copy(cs_diagnosed_view *v);
/* Does the same for log p, the weight and some coordinates (from 0), which are
 * then the only quantities. */
bool cs_diagnosed_copy_some(cs_diagnosed_view *v, const size_t *coordinate,
                            size_t n);
void cs_diagnosed_end(cs_diagnosed_view *v);
