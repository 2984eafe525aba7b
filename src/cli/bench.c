/* chainscope bench: the figures, side by side. */
#include "cli/bench_cases.h"
#include "cli/subcommand.h"

static int bench(const cs_args *args)
{
    cs_error err;
    uint64_t rounds;
    if (cs_args_count(args, "rounds", 7, &rounds, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    return cs_bench_main(rounds, args->n_words ? args->word[0] : NULL);
}

static const cs_option options[] = {
    {"rounds", "N", "turns of ours and the peer's, 1 to 31 (7)"},
};

const cs_subcommand cs_subcommand_bench = {
    .name = "bench",
    .args = "[CASE]",
    .help = "what a step costs, beside its limit and a loop written by hand",
    .more = "",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .most_words = 1,
    .main = bench,
};
