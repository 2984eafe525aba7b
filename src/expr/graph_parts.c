#include "expr/graph_parts.h"

#include "base/hash.h"
#include "data/parts.h"

#include <stdio.h>

enum { NAME = 64, LISTED = 64 };

/* Returns the digest of all operations and their arguments, without line
 * numbers. */
static uint64_t operations(const cs_graph *g, cs_node root)
{
    uint64_t h = cs_digest(CS_DIGEST, &root, sizeof root);
    for (size_t i = 1; i < g->n_nodes; i++) {
        const cs_graph_node *n = &g->nodes[i];
        const uint32_t what[] = {n->op, n->size, n->first, n->count, n->extra};
        h = cs_digest(h, what, sizeof what);
    }
    return cs_digest(h, g->args, g->n_args * sizeof *g->args);
}

static uint64_t shapes(const cs_graph *g)
{
    uint64_t h = CS_DIGEST;
    for (size_t i = 0; i < g->n_constants; i++) {
        const uint64_t shape[] = {g->constants[i].rows, g->constants[i].cols};
        h = cs_digest(h, shape, sizeof shape);
    }
    return h;
}

void cs_graph_parts(const cs_graph *g, cs_node root, const char *name,
                    cs_page *p)
{
    char part[NAME + 32];
    uint64_t h = CS_DIGEST;
    size_t listed = 0;
    snprintf(part, sizeof part, "%.60s.operations", name);
    cs_page_put(p, "%s = %zu, digest %016llx\n", part, g->n_nodes,
                (unsigned long long)(operations(g, root) ^ shapes(g)));
    for (size_t i = 0; i < g->n_constants; i++) {
        const cs_constant *c = &g->constants[i];
        for (size_t k = 0; k < c->rows * c->cols && listed < LISTED; k++) {
            snprintf(part, sizeof part, "%.60s.constant.%zu", name, ++listed);
            cs_parts_number(p, part, c->v[k]);
        }
        h = cs_digest(h, c->v, c->rows * c->cols * sizeof *c->v);
    }
    snprintf(part, sizeof part, "%.60s.constants", name);
    cs_parts_digest(p, part, "digest", h);
}
