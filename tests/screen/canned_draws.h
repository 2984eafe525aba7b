/* Synthetic input of the diagnostic panels, added to the canned snapshot. */
#pragma once

#include "canned_table.h"

/* Adds to the snapshot n arms of `chains` chains on nine modes. */
static inline void canned_many(cs_flat *f, size_t arms, size_t chains)
{
    cs_flat_begin(f, memory, CANNED_BYTES);
    cs_flat_text(f, "running", "run/state");
    cs_flat_text(f, "Two islands", "run/title");
    cs_flat_text(f, "lattice_modes", "run/target");
    cs_flat_number(f, 1240512, "run/steps");
    cs_flat_number(f, (double)arms, "run/arms");
    cs_flat_text(f, "a b", "coordinates");
    for (size_t i = 0; i < arms; i++) {
        cs_flat_text(f, i % 2 ? "acs" : "dmala", "arm/%zu/name", i);
        cs_flat_text(f, "dmala", "arm/%zu/kernel", i);
        cs_flat_number(f, (double)chains, "arm/%zu/chains", i);
    }
}

/* Adds to the snapshot jumps between neighbouring modes. The modes, `modes` in
 * number, form a ring. Between the first two modes, jumps in one direction are
 * twice as frequent as in the other. The last chain has not visited the last
 * mode. */
static inline void canned_jumps(cs_flat *f, size_t arm, size_t chains,
                                size_t modes)
{
    double *n = cs_flat_array(f, modes, modes, "arm/%zu/modes/matrix", arm);
    double *first = cs_flat_array(f, chains, modes, "arm/%zu/modes/first", arm);
    double *weight = cs_flat_array(f, 1, modes, "arm/%zu/modes/weight", arm);
    for (size_t i = 0; i < modes; i++) {
        weight[i] = 1.0 / (double)modes;
        n[i * modes + (i + 1) % modes] = 40 + 10 * (double)arm;
        n[(i + 1) % modes * modes + i] = i ? 44 : 10;
    }
    for (size_t i = 0; i < chains * modes; i++)
        first[i] = i + 1 < chains * modes ? 1 + 977 * (double)(i * 5 % 7 * i)
                                          : (double)NAN;
}
