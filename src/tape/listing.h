/* A traced target's programs as text: what is computed, from which line of
 * the script, and what share of the time it takes. */
#pragma once

#include "base/page.h"
#include "tape/program.h"
#include "target/target.h"

typedef struct cs_listing {
    const char *script; /* the text of the script, "" if it is not known */
    size_t width;       /* columns; 0: as wide as it gets */
    size_t most;        /* instructions shown of a program; 0: all */
    void (*print)(void *to, const char *text, size_t n);
    void *to;
} cs_listing;

/* Prints the programs of `t`, measured on a block of chains at its start.
 * Fails (CS_UNSUPPORTED) for a target that was not traced. Cold. */
cs_status cs_tape_list(const cs_target *t, const cs_listing *l, cs_error *err);

/* The seconds that each instruction takes over a block: seconds[n_code], from
 * x[dim][lanes]; scratch[slots][lanes]. Measured for about `budget` seconds
 * of the clock. */
void cs_program_time(const cs_program *p, const double *x, size_t lanes,
                     double *scratch, double budget, double *seconds);

/* A program whose instructions were measured: its instructions, and the lines
 * that take most of the time. False when out of memory. */
bool cs_listing_program(const cs_listing *l, const cs_program *p,
                        double *seconds);

/* The same as cs_tape_list for a target that is a sum over rows. */
cs_status cs_term_list(const cs_target *t, const cs_listing *l, cs_error *err);

/* Which instruction wrote a slot last, and where its value begins. */
typedef struct cs_slot_writer {
    uint32_t number; /* from 1; 0: it is of the input */
    uint32_t first, size;
    bool second; /* of the two values of an instruction; written v3' */
} cs_slot_writer;

/* Instruction number i (from 0) in words: "v3 = exp(v1)"; then notes what it
 * wrote in writer[slots]. */
void cs_instruction_put(const cs_program *p, size_t i, cs_slot_writer *writer,
                        cs_page *page);
