/* Targets with unusual densities, and a target that counts its evaluations. */
#pragma once

#include "support/small_make.h"
#include "target/eval.h"

/* A target and its space. A target with `wide` has ten thousand coordinates.
 * The last entry of the list has a NULL type. */
typedef struct odd_target {
    const cs_target_type *type;
    unsigned kind; /* cs_space_kind */
    bool wide;
} odd_target;
extern const odd_target odd_targets[];

/* Returns a target of this space. The log p of the target is NaN in a region
 * that contains neither the smallest values nor 0.3. The target has the
 * dimension of the small target with this space. */
const cs_target_type *hole_like(cs_space_kind kind);
/* Returns the target of hole_like with log p = -infinity in the region. */
const cs_target_type *wall_like(cs_space_kind kind);
/* Returns the target of hole_like with log p = +infinity in the region. */
const cs_target_type *peak_like(cs_space_kind kind);
/* Returns the target of hole_like with a finite log p and a NaN gradient in the
 * region. */
const cs_target_type *blind_like(cs_space_kind kind);

/* Returns a copy of the type that counts its calls, and resets the counts. Only
 * one type is counted at a time. */
const cs_target_type *counting_type(const cs_target_type *type);
cs_work counting_calls(void);
