/* chainscope bench: the figures, side by side. */
#include "base/memory.h"
#include "bench/bench.h"
#include "cli/subcommand.h"

#include <string.h>

enum { NAMES = 16 };

typedef struct wanted {
    const char *name[CS_ARGS_WORDS + NAMES];
    size_t n;
    char only[256]; /* what they point into */
} wanted;

/* The words, and the names of --only between commas. */
static cs_status read_names(const cs_args *args, wanted *w, cs_error *err)
{
    const char *only = cs_args_value(args, "only");
    for (size_t i = 0; i < args->n_words; i++)
        w->name[w->n++] = args->word[i];
    if (!only)
        return CS_OK;
    if (strlen(only) >= sizeof w->only)
        return cs_fail(err, CS_INPUT, "--only is longer than %zu letters",
                       sizeof w->only - 1);
    strcpy(w->only, only);
    for (char *name = w->only, *end; name; name = end) {
        end = strchr(name, ',');
        if (end)
            *end++ = 0;
        if (!*name || w->n == CS_ARGS_WORDS + NAMES) {
            cs_fail(err, CS_INPUT, "--only %s is no list of cases", only);
            cs_hint(err, "write --only B01a or --only B01a,B11, %d at most",
                    NAMES);
            return CS_INPUT;
        }
        w->name[w->n++] = name;
    }
    return CS_OK;
}

static cs_status read_plan(const cs_args *args, cs_bench_plan *plan, wanted *w,
                           cs_error *err)
{
    uint64_t rounds;
    bool csv = cs_args_value(args, "csv") != NULL;
    bool json = cs_args_value(args, "json") != NULL;
    cs_status status = cs_args_count(args, "rounds", 7, &rounds, err);
    if (!status && (rounds < 1 || rounds > CS_BENCH_ROUNDS))
        status = cs_fail(err, CS_RANGE, "--rounds is 1 to %d", CS_BENCH_ROUNDS);
    if (!status && csv && json)
        status = cs_fail(err, CS_INPUT, "--csv and --json are two formats");
    if (!status)
        status = read_names(args, w, err);
    if (status)
        return status;
    plan->rounds = (size_t)rounds;
    plan->name = w->name;
    plan->n_names = w->n;
    plan->format = csv ? CS_BENCH_CSV : json ? CS_BENCH_JSON : CS_BENCH_TEXT;
    return CS_OK;
}

static int bench(const cs_args *args)
{
    cs_error err = {0};
    cs_bench_count count = {0};
    cs_bench_plan plan = {.count = &count};
    static wanted names;
    if (read_plan(args, &plan, &names, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    cs_memory_keep_freed();
    if (cs_bench_main(&plan, &err))
        return cs_complain(&err);
    if (!count.rows) {
        cs_fail(&err, CS_UNKNOWN, "no case begins with '%s'", names.name[0]);
        cs_hint(&err, "chainscope bench --help lists them");
        return cs_complain(&err);
    }
    if (!count.missed || !cs_args_value(args, "check"))
        return CS_EXIT_OK;
    cs_fail(&err, CS_RANGE, "%zu of the ratios to a peer are below their bar",
            count.missed);
    cs_hint(&err, "see the lines marked MISS; on a busy machine try again");
    return cs_complain(&err);
}

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
    .main = bench,
};
