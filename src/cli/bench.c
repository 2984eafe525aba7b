/* chainscope bench: its options. Its work is in src/bench, an executable of its
 * own. */
#include "cli/line/subcommand.h"

static const cs_option options[] = {
    {"rounds", "N", "turns of ours and the peer's, 1 to 31 (7)"},
    {"only", "CASE[,CASE]", "these cases; the same as words"},
    {"csv", NULL, "comma-separated, for a program to read"},
    {"json", NULL, "one object of JSON, with all fields of every row"},
    {"check", NULL,
     "fail where a ratio to a peer measured in the same run is below its bar, "
     "which is that of the instruction set in use"},
};

const cs_subcommand cs_subcommand_bench = {
    .name = "bench",
    .args = "[CASE] ...",
    .help = "time per step, beside a loop written by hand and the limit of the "
            "machine",
    .more = "A case is a name or its beginning:\n"
            "  B01 random walk, B02 MALA, B03 HMC: a one chain, b many; a1, "
            "b1 by a single-precision gradient\n"
            "  B04 an Ising model in bits; wide: one of 100 x 100 spins, 1,000 "
            "chains\n"
            "  B05 DMALA, B06 Gibbs with gradients, B14 Gibbs and a Hamming "
            "ball, on a machine of\n"
            "  784 x 500 bits; B10 logistic regression; B13 a network of "
            "signs\n"
            "  B09 SGLD on two normals; batch: on some rows of a table, beside "
            "those rows alone\n"
            "  B11 start to first draw, B12 densities written in Lua; uniform, "
            "normal: draws in bulk\n"
            "  W2 gradients of models written in Lua, beside C\n"
            "  P01, P05, P10 some of these beside programs of others that are "
            "installed (emcee, PyTorch,\n"
            "  rstan, JAGS), which takes a minute or two\n"
            "  W3 NUTS that tunes itself on six posteriors, beside rstan, JAGS "
            "and emcee, a seed each\n"
            "  round; with 5 rounds half an hour, and only when it is named. "
            "CHAINSCOPE_STAN=FOLDER\n"
            "  keeps what rstan has compiled\n"
            "  kernel the dense gradient; workers two threads beside one\n"
            "  W1 run, from a scenario to its summary: a one chain, b 4, c 64; "
            "W5 pictures a second of the\n"
            "  screen; W6 memory of 10,000 chains\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .most_words = CS_ARGS_WORDS,
    .executable = "chainscope-bench",
};
