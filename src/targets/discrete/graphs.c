#include "targets/discrete/graphs.h"

#include "base/memory.h"
#include "rng/stream.h"

static double uniform_of(uint64_t seed, uint64_t pair)
{
    uint64_t word[2];
    cs_threefry2x64(20, (const uint64_t[]){pair, 0},
                    (const uint64_t[]){seed, 1}, word);
    return (double)(word[0] >> 11) * 0x1p-53;
}

static cs_status draw_graph(size_t n, double chance, uint64_t seed,
                            cs_edges *out, cs_error *err)
{
    size_t capacity = 0;
    *out = (cs_edges){.vertices = n};
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++) {
            if (uniform_of(seed, i * n + j) >= chance)
                continue;
            if (!CS_GROW(out->edge, out->n, capacity, 1)) {
                cs_edges_free(out);
                return cs_fail(err, CS_MEMORY, "out of memory for the graph");
            }
            out->edge[out->n++] = (cs_edge){(uint32_t)i, (uint32_t)j, 1};
        }
    return CS_OK;
}

cs_status cs_graph_given(const cs_value *v, cs_edges *out, cs_error *err)
{
    size_t n = (size_t)v[CS_GRAPH_VERTICES].number;
    if (v[CS_GRAPH_FILE].given)
        return cs_edges_read(v[CS_GRAPH_FILE].text, out, err);
    return draw_graph(n, v[CS_GRAPH_DEGREE].number / (double)(n - 1),
                      (uint64_t)v[CS_GRAPH_SEED].number, out, err);
}
