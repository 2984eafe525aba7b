/* Marked steps of a kernel with bins: steps into another bin, and uphill steps
 * where the gradient's multiplier was below 0. Each kind has a glyph and a
 * role. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/canvas.h"

typedef enum cs_jump { CS_NO_JUMP, CS_JUMP_BIN, CS_JUMP_UPHILL } cs_jump;

/* The bins of the newest steps of an arm's trace: bin[chains][n]. */
typedef struct cs_jumps {
    const double *bin; /* NULL: the kernel has no bins */
    size_t chains, n;
} cs_jumps;

/* Finds the bins of an arm's newest steps. In the result, bin is NULL unless
 * the trace has exactly `chains` chains and `n` steps. */
cs_jumps cs_jumps_find(const cs_shot *s, size_t arm, size_t chains, size_t n);

/* Returns the kind of step t of a chain. */
cs_jump cs_jump_of(const cs_jumps *j, size_t chain, size_t t);

cs_role cs_jump_role(cs_jump kind);
unsigned cs_jump_glyph(cs_jump kind);
