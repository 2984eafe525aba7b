/* The parts of an expression's fingerprint: see data/parts.h. */
#pragma once

#include "base/page.h"
#include "expr/graph.h"

/* Writes the operations of g and its constants under `name`. Call it before g
 * grows. */
void cs_graph_parts(const cs_graph *g, cs_node root, const char *name,
                    cs_page *p);
