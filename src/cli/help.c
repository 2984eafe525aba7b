#include "base/simd.h"
#include "base/text.h"
#include "cli/subcommand.h"

#include <gsl/gsl_version.h>
#include <stdio.h>
#include <string.h>

#define CS_SUBCOMMAND(name, file)                                              \
    extern const cs_subcommand cs_subcommand_##name;
#include "cli/subcommands.def"
#undef CS_SUBCOMMAND

static const cs_subcommand *const table[] = {
#define CS_SUBCOMMAND(name, file) &cs_subcommand_##name,
#include "cli/subcommands.def"
#undef CS_SUBCOMMAND
    NULL};

const cs_subcommand *cs_subcommand_at(size_t i)
{
    return i < sizeof table / sizeof *table ? table[i] : NULL;
}

const cs_subcommand *cs_subcommand_find(const char *name)
{
    for (size_t i = 0; table[i]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

void cs_help_one(const cs_subcommand *sub)
{
    printf("usage: chainscope %s %s\n\n%s\n", sub->name, sub->args, sub->help);
    if (sub->n_options)
        printf("\n");
    for (size_t i = 0; i < sub->n_options; i++) {
        char head[64];
        snprintf(head, sizeof head, "--%s %s", sub->options[i].name,
                 sub->options[i].arg ? sub->options[i].arg : "");
        printf("  %-24s %s\n", head, sub->options[i].help);
    }
    if (sub->more[0])
        printf("\n%s", sub->more);
}

void cs_help_all(void)
{
    printf("usage: chainscope SUBCOMMAND ...\n\n"
           "An oscilloscope for Markov chains.\n\n");
    for (size_t i = 0; table[i]; i++)
        printf("  %-10s %-28s %s\n", table[i]->name, table[i]->args,
               table[i]->help);
    printf("\nchainscope SUBCOMMAND --help says more.\n\n"
           "exit codes: 0 done; 1 it failed; 2 the command line is wrong;\n"
           "            130 after Ctrl-C, 143 after SIGTERM, with all kept\n"
           "environment: NO_COLOR (no colour),"
           " CHAINSCOPE_SIMD=base|avx2|avx512\n");
}

void cs_version(void)
{
    printf("chainscope %s\n", CS_VERSION);
    printf("vectors: %s; compiled for:", cs_simd_name(cs_simd_level()));
    for (int i = 0; i < CS_SIMD_COUNT; i++)
        printf(" %s", cs_simd_name((cs_simd)i));
    printf("\nGSL %s; compiler %s\n", GSL_VERSION, __VERSION__);
}

int cs_complain(const cs_error *err)
{
    char text[1100], clean[2400];
    cs_error_format(err, text, sizeof text);
    cs_text_clean(text, clean, sizeof clean);
    fprintf(stderr, "chainscope: %s\n", clean);
    return CS_EXIT_FAILED;
}
