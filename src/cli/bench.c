/* chainscope bench: the options of this sub-command. The benchmarks themselves
 * are in a separate program, built from src/bench. */
#include "cli/line/subcommand.h"

static const cs_option options[] = {
    {"rounds", "N",
     "number of rounds, each with one run of ours and one run of the peer, 1 "
     "to 31 (7)"},
    {"only", "CASE[,CASE]",
     "run only these cases (they can also be given as words)"},
    {"format", "NAME",
     "text, csv, or json: one object with all fields of every row"},
    {"csv", NULL, "the same as --format csv"},
    {"json", NULL, "the same as --format json"},
    {"check", NULL,
     "exit with status 1 if a ratio to a peer measured in the same run is "
     "below "
     "its limit for the instruction set in use"},
};

const cs_subcommand cs_subcommand_bench = {
    .name = "bench",
    .args = "[CASE] ...",
    .help = "measure the time per step, and compare it with a hand-written "
            "loop and the limit of the machine",
    .more =
        "A case is a name or its beginning:\n"
        "  B01 random walk, B02 MALA, B03 HMC: a one chain, b many chains; "
        "a1, b1 with a\n"
        "  single-precision gradient\n"
        "  B04 an Ising model stored in bits; wide: 100 x 100 spins, 1,000 "
        "chains\n"
        "  B05 DMALA, B06 Gibbs with gradients, B14 Gibbs and a Hamming "
        "ball, on a Boltzmann\n"
        "  machine of 784 x 500 bits; B10 logistic regression; B13 a network "
        "with sign units\n"
        "  B09 SGLD on two normals; batch: a minibatch of a table, compared "
        "with a table of\n"
        "  only those rows\n"
        "  B11 start to first draw, B12 log densities written in Lua; "
        "uniform, normal: random\n"
        "  numbers in bulk\n"
        "  W2 gradients of models written in Lua, compared with C\n"
        "  P01, P05, P10 some of these compared with other programs, if "
        "installed (emcee,\n"
        "  PyTorch, rstan, JAGS); one or two minutes\n"
        "  W3 NUTS with automatic tuning on six posteriors, compared with "
        "rstan, JAGS and emcee,\n"
        "  one seed per round; half an hour for 5 rounds, so it runs only "
        "when named.\n"
        "  CHAINSCOPE_STAN=FOLDER keeps compiled Stan models. W3d six models "
        "with discrete and\n"
        "  real parameters, compared with JAGS\n"
        "  kernel the dense gradient; workers two threads compared with "
        "one\n"
        "  W1 run, from a scenario to its summary: a one chain, b 4, c 64; "
        "W5 frames of the\n"
        "  screen per second; W6 memory of 10,000 chains\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .max_words = CS_ARGS_WORDS,
    .executable = "chainscope-bench",
};
