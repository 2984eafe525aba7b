/* chainscope check FILE: the laws, on the user's own target and kernels. */
#include "cli/host.h"

#include <stdio.h>

static int check(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    char line[64];
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
    if (status == CS_OK)
        status = cs_front_ask(c, line, NULL, &err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

static const cs_option options[] = {
    {"seconds", "N", "that a law of an arm may take, about (5)"},
    {"set", "ARM.PARAM=V", "change a parameter; may be repeated"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_check = {
    .name = "check",
    .args = "FILE",
    .help = "is every kernel right for this target? the laws, tried on both",
    .more =
        "Of the target: the density answers the same question the same, the\n"
        "gradient is its slope, the differences of sites are differences.\n"
        "Of each arm: again (the same step from the same state and random\n"
        "numbers, twice); its record (ratios computed again); its law (exact\n"
        "draws are still that after some steps) or, where nobody can draw\n"
        "from the target, its balance (as many steps one way as back, each\n"
        "weighed by the density: such a step is reversible, and keeps the\n"
        "law; a kernel that keeps it in another way, its sites in order,\n"
        "may fail that without fault); inside (no chain leaves the possible\n"
        "states); reach (all of them, from each other).\n"
        "Exact draws are had where a target has them, or up to 65536 states.\n"
        "A p-value that is in doubt is looked at again, with four times the\n"
        "draws; more seconds are more draws.\n"
        "Exit code 1 if one is broken.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = check,
};
