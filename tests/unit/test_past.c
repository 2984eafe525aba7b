/* tmp speed */
#include "support/support.h"

#include "base/clock.h"
#include "base/memory.h"
#include "targets/intractable/binary_field.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    size_t side = 32;
    double beta = argc > 1 ? atof(argv[1]) : 0.4;
    bool periodic = argc > 2 && atoi(argv[2]);
    cs_edges e = {.vertices = side * side};
    e.edge = cs_alloc(2 * side * side, sizeof *e.edge);
    for (uint32_t r = 0; r < side; r++)
        for (uint32_t c = 0; c < side; c++) {
            if (c + 1 < side || periodic)
                e.edge[e.n++] = (cs_edge){(uint32_t)(r * side + c), (uint32_t)(r * side + (c + 1) % side), 1};
            if (r + 1 < side || periodic)
                e.edge[e.n++] = (cs_edge){(uint32_t)(r * side + c), (uint32_t)((r + 1) % side * side + c), 1};
        }
    cs_edges_tidy(&e);
    cs_site_graph g;
    cs_error err = {0};
    if (cs_site_graph_make(&g, &e, &err))
        printf("%s\n", err.what);
    cs_binary_field f = {.graph = &g, .spins = true};
    static const cs_past_type *const types[][CS_SIMD_COUNT] = {CS_VARIANT_ROW(cs_past_binary_field)};
    for (int level = 0; level <= (int)cs_simd_level(); level++) {
    cs_past_model m = {.type = types[0][level], .of = &f, .parameters = 1, .n_data = g.sites, .limit = 1e12};
    for (size_t live = 1; live <= 64; live *= 8) {
        size_t lanes = cs_pad_lanes(live);
        uint64_t chain[64];
        double *theta = cs_alloc(lanes, 8), *data = cs_alloc(g.sites * lanes, 8), *scratch = cs_alloc(cs_past_words(&m) * lanes, 8);
        double updates[64], past[64], left[64];
        for (size_t l = 0; l < lanes; l++) {
            chain[l] = l < live ? l : live - 1;
            theta[l] = beta;
        }
        double t0 = cs_clock(), sum = 0, spent = 0, s4 = 0;
        size_t times = 64 / live;
        for (size_t step = 0; step < times; step++) {
            cs_streams s = cs_streams_of(1, live == 1 ? 0 : step, chain, lanes, live);
            if (live == 1) chain[0] = step;
            cs_simulation sim = {.streams = &s, .data = data, .updates = updates, .past = past, .left = left};
            cs_point at = {.x = theta, .lanes = lanes, .live = live, .scratch = scratch};
            cs_past_draw(&m, &at, &sim);
            for (size_t l = 0; l < live; l++) {
                sum += past[l];
                spent += updates[l];
                double mm = 0;
                for (size_t i = 0; i < g.sites; i++)
                    mm += 2 * data[i * lanes + l] - 1;
                s4 += mm * mm / 1024;
            }
        }
        double t = cs_clock() - t0;
        printf("level %d live %zu: %.3f ms a draw, past %.1f, %.3f ns an update, chi %.2f\n", level, live, t * 1e3 / 64, sum / 64, t * 1e9 / spent, s4 / 64);
    }
    }
}
