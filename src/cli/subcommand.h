/* A sub-command is a const table: its options are read, checked, listed by
 * --help and proposed when mistyped from the same rows. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CS_EXIT_OK = 0,
    CS_EXIT_FAILED = 1,
    CS_EXIT_USAGE = 2,
    CS_EXIT_WARNED = 3 /* with --strict: an arm has a warning */
};
enum { CS_ARGS_SET = 250, CS_ARGS_WORDS = 16, CS_ARGS_OPTIONS = 24 };
enum { CS_ARGS_OVER = 8 };

/* `arg` NULL: a flag. Options called "set" and "over" may be given many times. */
typedef struct cs_option {
    const char *name, *arg, *help;
} cs_option;

typedef struct cs_subcommand cs_subcommand;

/* What was given on the command line. Everything is [borrowed] from argv. */
typedef struct cs_args {
    const cs_subcommand *sub;
    const char *value[CS_ARGS_OPTIONS]; /* in the order of the rows; a flag
                                           has its name; NULL: not given */
    const char *word[CS_ARGS_WORDS];
    size_t n_words;
    const char *set[CS_ARGS_SET];
    size_t n_set;
    const char *over[CS_ARGS_OVER];
    size_t n_over;
} cs_args;

struct cs_subcommand {
    const char *name, *args, *help;
    const char *more; /* lines below the options, "" */
    const cs_option *options;
    size_t n_options, least_words, most_words;
    int (*main)(const cs_args *args); /* returns the exit code */
    const char *executable; /* file beside the program that is run with the same
                               arguments in place of `main`; NULL: none */
};

/* Sub-command number i, NULL at the end; the one called `name`, or NULL. */
const cs_subcommand *cs_subcommand_at(size_t i);
const cs_subcommand *cs_subcommand_find(const char *name);

/* The row of `bench`, which the executable chainscope-bench needs without the
 * other sub-commands. */
extern const cs_subcommand cs_subcommand_bench;

/* Runs a sub-command with argv[argc], which is what follows its name: prints its
 * help, or reads the arguments and calls its `main`, or replaces this process by
 * its executable. Returns the exit code. */
int cs_run_subcommand(const cs_subcommand *sub, int argc, char **argv);

/* Writes out stdout and returns `code`, or complains and returns another. */
int cs_flush(int code);

/* Reads argv[argc] (what follows the sub-command's name). */
cs_status cs_args_read(cs_args *args, const cs_subcommand *sub, int argc,
                       char **argv, cs_error *err);

/* The value of an option, or NULL. */
const char *cs_args_value(const cs_args *args, const char *name);

/* A whole number >= 0 ("5000", "1e6") of an option; `fallback` when it was
 * not given. */
cs_status cs_args_count(const cs_args *args, const char *name,
                        uint64_t fallback, uint64_t *out, cs_error *err);

/* A name and what it means. */
typedef struct cs_note {
    const char *name, *text;
} cs_note;

/* Exit code, environment variable number i, as help and manual list them;
 * NULL at the end. */
const cs_note *cs_exit_code_at(size_t i);
const cs_note *cs_environment_at(size_t i);

/* The help page of one sub-command, of all, and the version, on stdout. */
void cs_help_one(const cs_subcommand *sub);
void cs_help_all(void);
void cs_version(void);

/* Prints a line to stderr if the program has vector code but none that this
 * processor can run. */
void cs_warn_of_slow_vectors(void);

/* "chainscope: file:line: what: how to mend it" on stderr, cleaned for the
 * terminal; returns the exit code for it. */
int cs_complain(const cs_error *err);
