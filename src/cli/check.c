/* chainscope check FILE: tests the laws of kernels on a user's own target. */
#include "cli/front/front.h"
#include "cli/line/stop.h"

#include <stdio.h>

/* Appends the option `what` and its value to the line if the option was given,
 * for example "law" "record" for --law record. Returns false if the line is
 * full. */
static bool narrow(const cs_args *args, const char *what, char *line,
                   size_t size)
{
    const char *name = cs_args_value(args, what);
    return !name ||
           (cs_front_add(line, size, what) && cs_front_add(line, size, name));
}

static int check(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    char line[600];
    uint64_t seconds;
    cs_front_options front = {0};
    if (cs_front_read(args, &front, &err) ||
        cs_args_count(args, "seconds", 5, &seconds, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (cs_front_create(&c, &front, &err))
        return cs_complain(&err);
    snprintf(line, sizeof line, "check %llu", (unsigned long long)seconds);
    cs_status status = cs_front_open(c, args, NULL, &err);
    if (status == CS_OK && (!narrow(args, "law", line, sizeof line) ||
                            !narrow(args, "arm", line, sizeof line) ||
                            !narrow(args, "format", line, sizeof line)))
        status =
            cs_fail(&err, CS_INPUT, "the name of a law or arm is too long");
    if (status == CS_OK)
        status = cs_front_ask(c, line, NULL, &err);
    if (status)
        cs_stop_say("after testing the laws above; repeat the command to test "
                    "all");
    /* after a signal the session is ended at once, since it has nothing to
     * save */
    cs_client_close(c, cs_stop_signal() ? 0 : 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"seconds", "N",
     "time limit per law and arm (5), longer if the machine is busy"},
    {"law", "NAME", "test only this law"},
    {"arm", "NAME", "test only the laws of this arm"},
    {"format", "NAME", "text or json (one object per line and result)"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_check = {
    .name = "check",
    .args = "FILE",
    .help = "test whether every kernel samples this target correctly",
    .more =
        "Laws of the target: density (repeated evaluation gives the same "
        "value),\n"
        "gradient (it matches finite differences), differences (the "
        "differences of\n"
        "log density between states of a site match the log density), sample "
        "(draws by\n"
        "the script's function sample follow the density).\n"
        "Laws of each arm: again (the same steps from the same state and "
        "random\n"
        "numbers, twice); record (recomputed acceptance ratios agree: without\n"
        "auxiliary variables they are exactly Metropolis-Hastings ratios);\n"
        "transitions (with at most 64 states: steps from each state preserve "
        "the\n"
        "target); stationarity (independent draws keep their distribution "
        "after\n"
        "some steps); reach (every state can be reached from every other; "
        "names\n"
        "coordinates that must change together); conditional (draws that a "
        "script\n"
        "gives follow the density given the rest); returns (a deterministic "
        "map, run\n"
        "again with the opposite momentum, returns, and preserves volumes); "
        "sums\n"
        "(exp(log_q) has the same sum over the proposals from each state, and "
        "the\n"
        "proposals follow it); "
        "inside (no\n"
        "chain leaves the support).\n"
        "If the target has no exact draws, balance replaces stationarity: "
        "equally\n"
        "many steps forward and backward, weighted by the density. It assumes "
        "a\n"
        "reversible kernel, so a correct irreversible kernel (for example a "
        "scan of\n"
        "the sites in order) may fail it.\n"
        "Exact draws exist if the target provides them, if the law sample "
        "holds, or\n"
        "for at most 65536 states;\n"
        "with at most 20 real coordinates, points around the chains, weighted "
        "by\n"
        "the density, replace them.\n"
        "A law that holds reports the smallest error that it would have "
        "detected.\n"
        "While time remains, a law is tested again with four times the draws "
        "if its\n"
        "p-value is doubtful or if the test would detect only large errors.\n"
        "The exit code is 1 if a law is broken.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = check,
};
