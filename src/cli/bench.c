/* chainscope bench: the figures, side by side. */
#include "bench/bench.h"
#include "cli/subcommand.h"

static int bench(const cs_args *args)
{
    cs_error err = {0};
    uint64_t rounds;
    size_t missed = 0;
    if (cs_args_count(args, "rounds", 7, &rounds, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (rounds < 1 || rounds > CS_BENCH_ROUNDS) {
        cs_fail(&err, CS_RANGE, "--rounds is 1 to %d", CS_BENCH_ROUNDS);
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_bench_plan plan = {.rounds = (size_t)rounds,
                          .name = args->word,
                          .n_names = args->n_words,
                          .csv = cs_args_value(args, "csv") != NULL,
                          .missed = &missed};
    if (cs_bench_main(&plan, &err))
        return cs_complain(&err);
    if (!missed || !cs_args_value(args, "check"))
        return CS_EXIT_OK;
    cs_fail(&err, CS_RANGE, "%zu of the ratios to a peer are below their bar",
            missed);
    cs_hint(&err, "see the lines marked MISS; on a busy machine try again");
    return cs_complain(&err);
}

static const cs_option options[] = {
    {"rounds", "N", "turns of ours and the peer's, 1 to 31 (7)"},
    {"csv", NULL, "comma-separated, for a program to read"},
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
            "  kernel the dense gradient; workers two threads beside one\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .most_words = CS_ARGS_WORDS,
    .main = bench,
};
