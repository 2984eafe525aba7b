/* The test of an index that is computed from columns of data. */
#pragma once

#include "script/bind/terms/term_data.h"
#include "script/math/symbol.h"

/* Returns the test for the trace of a term, whose input is x[dim] followed by a
 * row of d, which must outlive the trace. The test fails unless the index is a
 * whole number from 1 to `size` in every row; the error names the row. */
cs_row_index cs_script_row_index(size_t dim, const cs_term_data *d);
