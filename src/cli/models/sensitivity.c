/* chainscope sensitivity MODEL: prints how much the quantities of a posterior
 * change with the power of the prior and of the likelihood. */
#include "base/memory.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/models/model_answer.h"
#include "cli/models/table_output.h"
#include "stat/power_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above this Pareto shape the weights are unreliable for any number of draws. */
static const double unreliable = 0.7;

typedef struct line {
    const char *arm, *name, *verdict;
    double prior, likelihood;
} line;

enum { ARM, NAME, PRIOR, LIKELIHOOD, PRIOR_SHAPE, LIKELIHOOD_SHAPE, FIELDS };

#define AT(member) CS_AT(line, member)
static const cs_column columns[] = {
    CS_COLUMN("arm", "arm", WORDS, 0, AT(arm)),
    CS_COLUMN("quantity", "quantity", WORDS, 0, AT(name)),
    CS_COLUMN("prior", "prior", FIXED, 3, AT(prior)),
    CS_COLUMN("likelihood", "likelihood", FIXED, 3, AT(likelihood)),
    CS_COLUMN("verdict", "verdict", WORDS, 0, AT(verdict)),
};

/* Fills the table. *worst is the largest Pareto k, and *found the number of
 * quantities with a verdict. */
static void take_answer(char *text, cs_cells *t, double *worst, size_t *found)
{
    char *field[FIELDS];
    for (char *at = text; cs_model_line(&at, field, FIELDS);) {
        line one = {.arm = field[ARM],
                    .name = field[NAME],
                    .prior = strtod(field[PRIOR], NULL),
                    .likelihood = strtod(field[LIKELIHOOD], NULL)};
        one.verdict = cs_power_verdict(one.prior, one.likelihood);
        *found += strcmp(one.verdict, "-") != 0;
        for (size_t i = PRIOR_SHAPE; i <= LIKELIHOOD_SHAPE; i++) {
            double k = strtod(field[i], NULL);
            *worst = isfinite(k) && k > *worst ? k : *worst;
        }
        cs_cells_add(t, &one);
    }
}

static bool write_query(const cs_args *args, char *query, size_t size)
{
    static const char *const names[] = {"power", "log-prior", "log-lik"};
    static const char *const usual[] = {"1.01", "-", "-"};
    bool fits = true;
    snprintf(query, size, "sensitivity");
    for (size_t i = 0; i < 3 && fits; i++) {
        const char *given = cs_args_value(args, names[i]);
        fits = cs_front_add(query, size, given ? given : usual[i]);
    }
    return fits;
}

static int print(const cs_args *args, const cs_table_output *to,
                 const cs_model_answer *asked)
{
    cs_error err;
    size_t found = 0;
    double worst = -HUGE_VAL;
    cs_cells t = cs_cells_begin(columns, sizeof columns / sizeof *columns);
    t.indent = 0;
    t.right = true;
    take_answer(asked->text, &t, &worst, &found);
    cs_status status = cs_table_write(to, &t, "quantities", NULL, &err);
    cs_cells_fini(&t);
    if (status)
        return cs_complain(&err);
    if (worst > unreliable)
        fprintf(stderr,
                "chainscope: Pareto k of the weights is %.2f, above %.1f: the "
                "sensitivities are unreliable; use a --power closer to 1, or "
                "more draws\n",
                worst, unreliable);
    if (asked->stopped)
        return CS_EXIT_FAILED;
    bool warned = asked->warned || found || worst > unreliable;
    return cs_args_value(args, "strict") && warned ? CS_EXIT_WARNED
                                                   : CS_EXIT_OK;
}

static int sensitivity(const cs_args *args)
{
    char query[1024];
    cs_error err = {0};
    cs_table_output to;
    cs_model_answer asked;
    cs_status status = cs_table_choose(args, &to, &err);
    if (status == CS_OK && !write_query(args, query, sizeof query))
        status = cs_fail(&err, CS_INPUT, "the names are too long");
    if (status) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    status = cs_model_ask(args, args->word[0], "?log_likelihood,?log_prior",
                          query, &asked, &err);
    int code =
        status ? cs_model_failed(&asked, &err) : print(args, &to, &asked);
    free(asked.text);
    return code;
}

static const cs_option options[] = {
    {"power", "A",
     "compare the powers 1/A and A; above 1 and at most 2 (1.01)"},
    {"log-prior", "NAME", "the quantity with the log prior (log_prior)"},
    {"log-lik", "NAME", "the quantity with the log likelihood (log_lik)"},
    CS_TABLE_OPTIONS,
    CS_MODEL_OPTIONS,
    CS_STRICT_OPTION,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_sensitivity = {
    .name = "sensitivity",
    .args = "MODEL",
    .help = "print the sensitivity of a posterior to its prior and likelihood",
    .more =
        "MODEL is a scenario or draws, as for `compare`, with the quantities "
        "log_prior and\nlog_lik. The draws are weighted as if the prior, or "
        "the likelihood, had the power\n1/A and A (Kallioinen et al. 2023). "
        "The columns have the cumulative Jensen-Shannon\ndistance between "
        "the distributions, divided by log2(A). Values above 0.05 matter:\n"
        "with prior and likelihood above it, they may conflict; with the "
        "prior only, the\nprior is strong or the likelihood weak.\n\nExit "
        "status 3, with --strict: a quantity has a verdict, or an arm has a "
        "warning.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = sensitivity,
};
