/* Fuzzes the reader of graphs. */
#include "data/edges.h"
#include "fuzz.h"

static void one_input(const uint8_t *data, size_t size)
{
    cs_edges e = {0};
    cs_error err = {0};
    cs_status s =
        cs_edges_parse((const char *)data, size, "input.txt", &e, &err);
    for (size_t k = 0; s == CS_OK && k < e.n; k++)
        if (e.edge[k].i > e.edge[k].j || e.edge[k].j >= e.vertices)
            fuzz_broken("an edge leads out of the graph");
    if (s != CS_OK && !err.what[0])
        fuzz_broken("error without a message");
    cs_edges_free(&e);
}

const fuzz_reader reader_edges = {.read = one_input};
