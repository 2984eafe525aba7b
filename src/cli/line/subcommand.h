/* A sub-command is a const table. The rows of its options are used to read and
 * check the arguments, to print --help and to suggest corrections. */
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
enum { CS_ARGS_SET = 250, CS_ARGS_WORDS = 512, CS_ARGS_OPTIONS = 24 };
enum { CS_ARGS_OVER = 8 };

/* An option; `arg` NULL means a flag. An `arg` such as "[=PORT]" means that the
 * value is optional, and is given as --name=VALUE. Options named "set" and
 * "over" may be repeated. */
typedef struct cs_option {
    const char *name, *arg, *help;
} cs_option;

typedef struct cs_subcommand cs_subcommand;

/* The arguments on the command line. All strings are [borrowed] from argv. */
typedef struct cs_args {
    const cs_subcommand *sub;
    const char *value[CS_ARGS_OPTIONS]; /* in the order of the options' rows;
                                         * the value of a flag is the flag's
                                         * name; "": an optional value is not
                                         * given; NULL: not given */
    const char *word[CS_ARGS_WORDS];
    size_t n_words;
    const char *set[CS_ARGS_SET];
    size_t n_set;
    const char *over[CS_ARGS_OVER];
    size_t n_over;
    /* If the words were files of draws in other formats, `word` is a temporary
     * folder with these draws, `given` are the words of the user, and `notes`
     * has the assumptions of the readers, one per line. Otherwise `given` is
     * empty and `notes` is NULL. */
    const char *given[CS_ARGS_WORDS];
    size_t n_given;
    const char *notes;
} cs_args;

/* How a sub-command uses words that are files of draws (cli/line/draw_words.h). */
typedef enum cs_draws_use {
    CS_TAKES_NONE, /* the sub-command handles its words itself */
    CS_TAKES_OPEN, /* opens a scenario or a folder of draws */
    CS_TAKES_ONLY, /* opens a folder of draws */
    CS_TAKES_LIST  /* reads a folder of draws or a list of CmdStan files */
} cs_draws_use;

struct cs_subcommand {
    const char *name, *args, *help;
    const char *more; /* lines printed after the options in the help; "":
                       * none */
    const cs_option *options;
    size_t n_options, least_words, max_words;
    int (*main)(const cs_args *args); /* returns the exit code */
    const char *executable; /* file in the program's folder to run with the same
                             * arguments instead of `main`; NULL: no such
                             * file */
    cs_draws_use draws;
    /* Called before files of draws in other formats are converted. Returns true
     * if it did the work, and sets *code to the exit code. NULL: nothing */
    bool (*direct)(const cs_args *args, int *code);
};

/* cs_subcommand_at returns sub-command number i, or NULL at the end;
 * cs_subcommand_find returns the sub-command with this name, or NULL. */
const cs_subcommand *cs_subcommand_at(size_t i);
const cs_subcommand *cs_subcommand_find(const char *name);

/* The row of `bench`. The program chainscope-bench uses it without the other
 * sub-commands. */
extern const cs_subcommand cs_subcommand_bench;

/* Runs a sub-command with argv[argc], the arguments after its name: prints its
 * help, or reads the arguments and calls its `main`, or replaces this process
 * by its executable. Returns the exit code. */
int cs_run_subcommand(const cs_subcommand *sub, int argc, char **argv);

/* Flushes stdout. Returns `code`, or, if the flush fails, reports the error and
 * returns its exit code. */
int cs_flush(int code);

/* Reads argv[argc], the arguments after the sub-command's name. */
cs_status cs_args_read(cs_args *args, const cs_subcommand *sub, int argc,
                       char **argv, cs_error *err);

/* Returns the value of an option, or NULL. */
const char *cs_args_value(const cs_args *args, const char *name);

/* Reads an option that is a whole number >= 0 ("5000", "1e6"). *out is
 * `fallback` if the option was not given. */
cs_status cs_args_count(const cs_args *args, const char *name,
                        uint64_t fallback, uint64_t *out, cs_error *err);

/* A name and its meaning, for lists in the help and the manual. */
typedef struct cs_note {
    const char *name, *text;
} cs_note;

/* Return exit code number i and environment variable number i, in the order of
 * the help and the manual, or NULL past the last. */
const cs_note *cs_exit_code_at(size_t i);
const cs_note *cs_environment_at(size_t i);

/* Print a help page to stdout: cs_help_one for a sub-command, cs_help_all for
 * the program. cs_version prints the version. */
void cs_help_one(const cs_subcommand *sub);
void cs_help_all(void);
void cs_version(void);

/* Warns on stderr if the program has vector code but none for this
 * processor. */
void cs_warn_of_slow_vectors(void);

/* Prints "chainscope: file:line: what: hint" to stderr, without control
 * characters. Returns the exit code of the error. */
int cs_complain(const cs_error *err);
