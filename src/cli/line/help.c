#include "base/registry.h"
#include "cli/line/subcommand.h"
#include "simd/variants.h"

#include <gsl/gsl_version.h>
#include <stdio.h>

#define CS_SUBCOMMAND(name, file)                                              \
    extern const cs_subcommand cs_subcommand_##name;
#include "cli/subcommands.def"
#undef CS_SUBCOMMAND

static const cs_subcommand *const table[][1] = {
#define CS_SUBCOMMAND(name, file) CS_SINGLE_ROW(cs_subcommand_##name)
#include "cli/subcommands.def"
#undef CS_SUBCOMMAND
    {NULL}};

static const cs_note exit_codes[] = {
    {"0, 1", "0: done; 1: the command failed; a claim differs from its "
             "expectation (run) or "
             "does not hold (replicate); or a law is broken (check)"},
    {"2, 3",
     "2: the command line is wrong; 3: an arm has a warning (with --strict)"},
    {"129, 130, 143", "ended by a hang-up (129), Ctrl-C (130) or SIGTERM "
                      "(143); the results are saved"},
    {NULL, NULL},
};

static const cs_note environment[] = {
    {"NO_COLOR", "if set, no colour"},
    {"COLORTERM", "truecolor or 24bit: 24-bit colours"},
    {"CHAINSCOPE_GLYPHS", "ascii or block: characters of plots"},
    {"CHAINSCOPE_SIMD",
     "base, avx2 or avx512: widest vector instructions to use"},
    {"XDG_CONFIG_HOME",
     "base folder of chainscope/config.lua. Likewise XDG_DATA_HOME "
     "(scenarios), XDG_STATE_HOME (history, background runs, lessons) and "
     "XDG_CACHE_HOME (laws, small pictures)"},
    {NULL, NULL},
};

const cs_note *cs_exit_code_at(size_t i)
{
    return i < sizeof exit_codes / sizeof *exit_codes - 1 ? &exit_codes[i]
                                                          : NULL;
}

const cs_note *cs_environment_at(size_t i)
{
    return i < sizeof environment / sizeof *environment - 1 ? &environment[i]
                                                            : NULL;
}

CS_REGISTRY(cs_subcommand, cs_subcommand)

void cs_help_all(void)
{
    printf("usage: chainscope [FILE], or chainscope SUBCOMMAND ...; chainscope "
           "SUBCOMMAND --help describes it\n"
           "An oscilloscope for Markov chains. Without a FILE, it shows a "
           "gallery of scenarios.\n"
           "A scenario compares arms (kernels with their chains), laws test "
           "kernels, and claims are tested by a run.\n\n");
    const cs_subcommand *sub;
    for (size_t i = 0; (sub = cs_subcommand_at(i)); i++)
        printf("  %-12s %s\n", sub->name, sub->help);
    printf("\nexit codes\n");
    for (const cs_note *n = exit_codes; n->name; n++)
        printf("  %-18s %s\n", n->name, n->text);
    printf("environment: ");
    for (const cs_note *n = environment; n->name; n++)
        printf("%s%s", n == environment ? "" : ", ", n->name);
    printf("; chainscope manual describes them\n");
}

void cs_version(void)
{
    printf("chainscope %s\n", CS_VERSION);
    printf("vectors: %s; compiled for:", cs_simd_name(cs_simd_level()));
    for (int i = 0; i < CS_SIMD_COUNT; i++)
        printf(" %s", cs_simd_name((cs_simd)i));
    bool slow;
    const char *note = cs_simd_mismatch(cs_simd_processor(), &slow);
    if (note)
        printf(" (%s; configure with -DCS_SIMD=all)", note);
    printf("\nGSL %s; compiler %s\n", GSL_VERSION, __VERSION__);
}

void cs_warn_of_slow_vectors(void)
{
    bool slow;
    unsigned cpu = cs_simd_processor();
    const char *note = cs_simd_mismatch(cpu, &slow);
    if (slow)
        fprintf(stderr, "chainscope: %s%s\n", note,
                cpu ? "; rebuild it here or with -DCS_SIMD=all" : "");
}
