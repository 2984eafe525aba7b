/* chainscope check FILE: the law book, on the user's own target and kernels. */
#include "cli/front/front.h"
#include "cli/line/stop.h"

#include <stdio.h>

/* Adds `"law" "record"` where --law record was given; false: no room. */
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
        cs_stop_say("with the laws above tried: give the command again to try "
                    "all");
    cs_client_close(c, cs_stop_signal() ? 0 : 3000); /* nothing is kept */
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"seconds", "N", "that a law of an arm may take (5)"},
    {"law", "NAME", "this law alone"},
    {"arm", "NAME", "the laws of this arm alone"},
    {"format", "NAME", "text or json: an object per finding, a line each"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_check = {
    .name = "check",
    .args = "FILE",
    .help = "is every kernel right for this target? the laws, tried on both",
    .more =
        "Of the target: density (the same question has the same answer),\n"
        "gradient (it is the slope), differences (of sites, are differences).\n"
        "Of each arm: again (the same steps from the same state and random\n"
        "numbers, twice); record (ratios computed again: without auxiliary\n"
        "variables they are exactly that of Metropolis and Hastings);\n"
        "transitions (with at most 64 states: steps from each of them keep\n"
        "the target); stationarity (independent draws are still that after "
        "some\n"
        "steps); where nobody can draw from the target, balance (as many\n"
        "steps one way as back, each\n"
        "weighed by the density: such a step is reversible, and keeps the\n"
        "target; a kernel that keeps it in another way, its sites in order,\n"
        "may fail that without fault), both with inside (no chain leaves the\n"
        "possible states); reach (all of them, from each other).\n"
        "Exact draws are had where a target has them, or up to 65536 states;\n"
        "with at most 20 real coordinates places around the chains, weighted\n"
        "by the density, stand in for them.\n"
        "A law that holds says which error it would have seen. A p-value that\n"
        "is in doubt is looked at again, with four times the draws, and so is\n"
        "a law that would see large errors only, while there is time.\n"
        "Exit code 1 if one is broken.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = check,
};
