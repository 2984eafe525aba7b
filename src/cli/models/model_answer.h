/* Opens a model that a user names on the command line, and sends one query to
 * its session. A model is a scenario, which is run, or draws of this or another
 * program. */
#pragma once

#include "cli/line/file_list.h"

enum { CS_MODEL_NAME = CS_LIST_NAME };

typedef struct cs_model_answer {
    char name[CS_MODEL_NAME]; /* NAME of the word NAME=FILE, or the file's name
                               * without folder and ending */
    bool named;               /* true if the word has a name */
    char *text;               /* the answer [own: free] */
    bool stopped;             /* true if a chain has stopped */
    bool warned;              /* true if an arm has a warning */
    bool misused;             /* true after an error of the words: a file in an
                               * unknown format, no file */
} cs_model_answer;

/* Opens `word`, which is [NAME=]FILE[,FILE...] (several files are the chains of
 * one arm), runs a scenario to the end of its budget or reads all draws, and
 * sends `query`. `groups` are further groups of netCDF files. Prints notes of
 * readers and messages of the session to stderr. */
cs_status cs_model_ask(const cs_args *args, const char *word,
                       const char *groups, const char *query,
                       cs_model_answer *out, cs_error *err);

/* Prints an error of cs_model_ask and returns its exit code. */
int cs_model_failed(const cs_model_answer *asked, const cs_error *err);

/* Splits the line at *text into n fields at tabs, in place, and moves *text to
 * the next line. Returns false at the end, or if the line has other fields. */
bool cs_model_line(char **text, char **field, size_t n);

/* Options of the sub-commands that open models. CS_FRONT_OPTIONS and
 * CS_STRICT_OPTION are separate. */
#define CS_MODEL_OPTIONS                                                       \
    {"steps", "N", "steps per chain of a scenario, instead of its budget"},    \
        {"chains", "N", "chains per arm of a scenario"},                       \
        {"seed", "N", "seed of a scenario"},                                   \
        {"set", "ARM.PARAM=V",                                                 \
         "change a parameter of all scenarios; may be repeated"},              \
    {                                                                          \
        "full", NULL, "use the full setting of scenarios"                      \
    }
