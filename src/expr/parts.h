/* What an expression is made of: see base/parts.h. */
#pragma once

#include "base/page.h"
#include "expr/graph.h"

/* The operations of g and its constants, as `name`; before anything is added
 * to it. */
void cs_graph_parts(const cs_graph *g, cs_node root, const char *name,
                    cs_page *p);
