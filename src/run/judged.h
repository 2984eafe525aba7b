/* The draws from which convergence is judged. */
#pragma once

#include "run/run.h"
#include "stat/diagnostics.h"
#include "warn/warnings.h"

typedef struct cs_arm cs_arm;

/* The row of the table with the smallest effective size, and the standard error
 * of that size's logarithm as the draws tell it (run/size_errors.h), NAN: not
 * known, or the probe tells it. */
typedef struct cs_worst {
    size_t row;
    double error;
} cs_worst;

/* Those draws of an arm, and what was found of them when last looked at
 * (diagnose.c). */
typedef struct cs_judged {
    double *rows;  /* [chains][room][lead + coordinates] log p, the log weight
                   where there is one, what is shown; a row that is no draw:
                   cs_is_draw [own] */
    size_t chains; /* of the first so many chains: see judged.c */
    size_t room, most; /* rows now, and at most */
    size_t lead, coordinates;
    uint64_t written;    /* all draws each so many steps are to be kept: those
                          that are written; 0: as many as is usual */
    uint64_t thin;       /* steps between two that are written */
    bool in_files;       /* the files begin where the rows do */
    bool *lacking;       /* [chains] of a merged run: whose rows stand in a
                            file, while others do not; NULL: none [own] */
    bool irregular;      /* rows of another rank are: see is_regular */
    bool true_logp;      /* the probe asks for log p itself */
    cs_diagnosis *found; /* [1 + coordinates] [own] */
    cs_worst worst;
    double kish; /* size of their weights (stat/weighted.h), NAN: alike */
    cs_warnings warnings; /* of them [own] */
    uint64_t epoch;       /* of the run when they were found, 0: not */
} cs_judged;

/* What is looked at of them: rows of some chains, or a copy of such. */
typedef struct cs_judged_chain {
    const double *row; /* [rows][width] */
    size_t number;     /* from 1 */
    size_t draws;      /* rows that are draws of the target */
    bool failed;
} cs_judged_chain;

typedef struct cs_judged_view {
    cs_judged_chain *chain; /* [n] [own] */
    double *copy;           /* [own] NULL: the rows are the run's */
    size_t n, rows, width, room;
    size_t lead;             /* words before what is shown */
    size_t chains, of;       /* looked at of all that draw: the first */
    uint64_t every, missing; /* rows that were not kept, from the first */
    bool whole;        /* no step is missing, or none that was to be written */
    bool weighed;      /* some rows may be no draws */
    cs_logp_kind logp; /* what log p of the rows is */
} cs_judged_view;

double cs_judged_words(const cs_run *r, const cs_arm *a); /* a chain's */
cs_status cs_judged_create(cs_run *r, cs_arm *a, cs_error *err);
void cs_judged_make_room(cs_arm *a); /* for the coming steps */
/* Makes room for so many rows of each chain; false: there cannot be. */
bool cs_judged_fits(const cs_run *r, cs_arm *a, uint64_t rows);
/* So many rows there are now. */
void cs_judged_place(cs_arm *a, uint64_t every, size_t used);
/* Rows of each chain, and the steps between them. */
size_t cs_judged_rows(const cs_arm *a, uint64_t *every);
/* Whether all rows that are draws stand in the files, as the first of them. */
bool cs_judged_in_files(const cs_arm *a);
/* The rows of these chains stand in files, to be read back; false: no memory. */
bool cs_judged_leave(cs_arm *a, cs_chains to_files);
void cs_judged_free(cs_arm *a);
/* Of a sample of the chains, NULL: of all; false: no memory, or there are none.
 * End it with cs_judged_end. */
bool cs_judged_look(const cs_arm *a, const cs_run_sample *sample,
                    cs_judged_view *v);
/* Makes the rows a copy, for another thread: of as many, evenly chosen, as a
 * chain has where there is no file. */
bool cs_judged_copy(cs_judged_view *v);
/* The same of log p, the weight and some coordinates alone, from 0, which are
 * then all that is shown. */
bool cs_judged_copy_some(cs_judged_view *v, const size_t *coordinate, size_t n);
void cs_judged_end(cs_judged_view *v);
