/* chainscope-bench: the executable that `chainscope bench` runs. */
#include "base/memory.h"
#include "bench/bench.h"
#include "cli/line/subcommand.h"

#include <gsl/gsl_errno.h>
#include <string.h>

enum { NAMES = 16 };

typedef struct wanted {
    const char *name[CS_ARGS_WORDS + NAMES];
    size_t n;
    char only[256]; /* the names in --only, cut at the commas */
} wanted;

/* Reads the positional names, and the comma-separated names of --only. */
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
            cs_fail(err, CS_INPUT, "--only: '%s' is not a list of case names",
                    only);
            cs_hint(
                err,
                "write --only B01a or --only B01a,B11, with at most %d names",
                NAMES);
            return CS_INPUT;
        }
        w->name[w->n++] = name;
    }
    return CS_OK;
}

/* Reads --format NAME, --csv or --json. */
static cs_status read_format(const cs_args *args, cs_bench_format *format,
                             cs_error *err)
{
    static const char *const names[] = {[CS_BENCH_TEXT] = "text",
                                        [CS_BENCH_CSV] = "csv",
                                        [CS_BENCH_JSON] = "json"};
    const char *given[] = {cs_args_value(args, "format"),
                           cs_args_value(args, "csv"),
                           cs_args_value(args, "json")};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (name && given[i])
            return cs_fail(err, CS_INPUT,
                           "--format, --csv and --json cannot be combined");
        name = given[i] ? given[i] : name;
    }
    *format = CS_BENCH_TEXT;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (cs_bench_format)i;
            return CS_OK;
        }
    if (!name)
        return CS_OK;
    cs_fail(err, CS_UNKNOWN, "unknown format '%s'", name);
    cs_hint(err, "use text, csv or json");
    return CS_UNKNOWN;
}

static cs_status read_plan(const cs_args *args, cs_bench_plan *plan, wanted *w,
                           cs_error *err)
{
    uint64_t rounds;
    cs_status status = cs_args_count(args, "rounds", 7, &rounds, err);
    if (!status && (rounds < 1 || rounds > CS_BENCH_ROUNDS))
        status = cs_fail(err, CS_RANGE, "--rounds must be between 1 and %d",
                         CS_BENCH_ROUNDS);
    if (!status)
        status = read_format(args, &plan->format, err);
    if (!status)
        status = read_names(args, w, err);
    if (status)
        return status;
    plan->rounds = (size_t)rounds;
    plan->name = w->name;
    plan->n_names = w->n;
    return CS_OK;
}

static int measure(const cs_args *args)
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
        cs_hint(&err, "list the cases: chainscope bench --help");
        return cs_complain(&err);
    }
    if (!count.missed || !cs_args_value(args, "check"))
        return CS_EXIT_OK;
    cs_fail(&err, CS_RANGE,
            "%zu of the ratios to a peer are below their limit (%s)",
            count.missed, count.cases);
    cs_hint(&err, "try again if the machine was busy");
    return cs_complain(&err);
}

int main(int argc, char **argv)
{
    cs_subcommand bench = cs_subcommand_bench;
    bench.executable = NULL;
    bench.main = measure;
    gsl_set_error_handler_off();
    return cs_flush(cs_run_subcommand(&bench, argc - 1, argv + 1));
}
