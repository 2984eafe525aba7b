/* Disassembly of a traced target: prints its instructions as text, each with
 * its script line and its share of the time. */
#pragma once

#include "base/page.h"
#include "tape/program.h"
#include "target/target.h"

typedef struct cs_disassembly {
    const char *script; /* text of the script, "" if unknown */
    size_t width;       /* number of columns; 0: unlimited */
    size_t most;        /* maximum number of instructions printed per program;
                           0: all */
    void (*print)(void *to, const char *text, size_t n);
    void *to;
} cs_disassembly;

/* Prints the programs of `t`, timed on a block of chains at their initial
 * states. Fails (CS_UNSUPPORTED) for a target that was not traced. For setup
 * only. */
cs_status cs_tape_list(const cs_target *t, const cs_disassembly *l,
                       cs_error *err);

/* Measures the time of each instruction on the block x[dim][lanes], and stores
 * it in seconds[n_code]. scratch[slots][lanes] is work space. Takes about
 * `budget` seconds of wall time. */
void cs_program_time(const cs_program *p, const double *x, size_t lanes,
                     double *scratch, double budget, double *seconds);

/* Prints a measured program: the program's instructions, and the lines of the
 * script that take the most time. Returns false if out of memory. */
bool cs_disassembly_program(const cs_disassembly *l, const cs_program *p,
                            double *seconds);

/* Prints the programs of a target that is a sum over rows, as cs_tape_list
 * does. */
cs_status cs_term_list(const cs_target *t, const cs_disassembly *l,
                       cs_error *err);

/* The instruction that last wrote a slot, and the first slot of the value that
 * it wrote. */
typedef struct cs_slot_writer {
    uint32_t number; /* index of the instruction, from 1; 0: the input */
    uint32_t first, size;
    bool second; /* true for the second result of an instruction, printed as
                  * v3' */
} cs_slot_writer;

/* Formats instruction number i (from 0) as text, "v3 = exp(v1)", then records
 * its results in writer[slots]. */
void cs_instruction_put(const cs_program *p, size_t i, cs_slot_writer *writer,
                        cs_page *page);
