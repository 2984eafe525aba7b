/* Which nodes can be an index of a vector or of the rows of a matrix. */
#include "expr/graph.h"

#include <math.h>

/* Fails unless i has integer values and depends on discrete parameters only. */
static cs_status check_integers(cs_graph *g, cs_node i, cs_error *err)
{
    double value;
    bool known = cs_graph_is_number(g, i, &value);
    if (!g->n_ranges && !known) {
        cs_fail(err, CS_SCRIPT, "an index depends on the data or the state");
        cs_hint(err, "an index is a number, a list of numbers, a column of "
                     "data (row.NAME), or a discrete parameter");
        return CS_SCRIPT;
    }
    unsigned reads = cs_graph_reads(g, i);
    if (!known && reads & CS_READS_REAL) {
        cs_fail(err, CS_SCRIPT,
                "an index depends on real numbers of the state");
        cs_hint(err, "compute it from discrete parameters: cs.label(3, n), "
                     "cs.integer(1, 9), cs.bit(n)");
        return CS_SCRIPT;
    }
    if (known ? value == floor(value) : !(reads & CS_FRACTIONAL))
        return CS_OK;
    cs_fail(err, CS_SCRIPT, "an index may be a fraction");
    cs_hint(err, "compute it from discrete parameters and whole numbers by +, "
                 "-, *, cs.math.min and cs.math.max");
    return CS_SCRIPT;
}

cs_status cs_graph_check_index(cs_graph *g, cs_node i, size_t size,
                               const char *there_are, const char *entries,
                               cs_error *err)
{
    cs_outside o;
    cs_status status = check_integers(g, i, err);
    if (status || !cs_graph_find_outside(g, i, size, &o))
        return status;
    if (g->status)
        return cs_fail(err, g->status, "out of memory for an index");
    cs_fail(err, CS_SCRIPT,
            "an index can be %.9g%s%s, but %s %zu %s, counted from 1", o.value,
            o.where[0] ? ", where " : "", o.where, there_are, size, entries);
    cs_hint(err,
            "declare a range that fits, or keep the index inside: "
            "cs.math.min(i, %zu), cs.math.max(i, 1)",
            size);
    return CS_SCRIPT;
}
