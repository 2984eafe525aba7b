/* The summary of a run: its format, its rows and its warnings, for the
 * sub-commands that print it. */
#pragma once

#include "cli/front/follow_run.h"
#include "cli/line/subcommand.h"

/* Reads --format. *format is NULL for text. */
cs_status cs_print_summary_format(const cs_args *args, const char **format,
                                  cs_error *err);

/* Adds the rows that the user requested (--show, --all) to the command
 * line[size]. */
cs_status cs_print_summary_rows(const cs_args *args, char *line, size_t size,
                                cs_error *err);

/* Sends --quantiles, if it was given, to the session with the open run. */
cs_status cs_print_summary_quantiles(cs_client *c, const cs_args *args,
                                     cs_error *err);

/* Sends the command and prints the answer. */
cs_status cs_print_summary(cs_client *c, const char *line, cs_error *err);

/* Sends the command and prints its answer between empty lines, if it has one. */
cs_status cs_print_answer(cs_client *c, const char *line, cs_error *err);

/* With --strict, sets *warned if an arm has a warning that is more severe than
 * a note, and prints the names of all such arms. Parts of a run are not
 * checked. */
cs_status cs_print_summary_warned(cs_client *c, const cs_args *args,
                                  bool *warned, cs_error *err);

/* Returns the number of stopped chains, and prints it if there are any. The run
 * fails if at least one chain has stopped. */
double cs_print_summary_stopped(const cs_seen *s);

#define CS_STRICT_OPTION                                                       \
    {                                                                          \
        "strict", NULL,                                                        \
            "exit with status 3 if an arm has a warning at the end; notes, "   \
            "which are properties of the method, do not count "                \
            "(summary.json: `warned`)"                                         \
    }

#define CS_QUANTILES_OPTION                                                    \
    {                                                                          \
        "quantiles", "P,...",                                                  \
            "quantiles of the summary in percent; default: 5,50,95"            \
    }

#define CS_SUMMARY_OPTIONS                                                     \
    {"show", "NAME,...",                                                       \
     "add these quantities to the summary; a vector adds all its elements"},   \
        {"all", NULL,                                                          \
         "show all quantities in the summary, not only the worst"},            \
        {"format", "NAME",                                                     \
         "format of the summary: text, markdown, latex, html, json (as "       \
         "summary.json) or csv (one line per arm and quantity)"},              \
        CS_QUANTILES_OPTION, CS_STRICT_OPTION
