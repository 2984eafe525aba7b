/* Targets at the limits of what a density may be, and one that counts. */
#pragma once

#include "support/small_make.h"
#include "target/eval.h"

/* `wide`: ten thousand coordinates. Ends with type NULL. */
typedef struct odd_target {
    const cs_target_type *type;
    unsigned kind; /* cs_space_kind */
    bool wide;
} odd_target;
extern const odd_target odd_targets[];

/* A target of the space that is NaN in a part of it (never at the smallest
 * values, or 0.3), and one where only the gradient is NaN there. The dimensions
 * are those of the small target of the space. */
const cs_target_type *hole_like(cs_space_kind kind);
const cs_target_type *wall_like(cs_space_kind kind);
const cs_target_type *peak_like(cs_space_kind kind);
const cs_target_type *blind_like(cs_space_kind kind);

/* The same type, and every call of it counted, from 0; one at a time. */
const cs_target_type *counting_type(const cs_target_type *type);
cs_work counting_calls(void);
