/* The parameters of a target whose coordinates have names. */
#pragma once

#include "target/target.h"

/* Returns the part of coordinate i that has the name of its parameter; NULL: the
 * coordinates have no names. */
const cs_part *cs_target_parameter(const cs_target *t, size_t i);

/* Returns the coordinate of the state that has the name of the displayed quantity
 * i; dim: none. For a parameter with constraints, this is the unconstrained
 * coordinate. */
size_t cs_target_shown_coordinate(const cs_target *t, size_t i);
