/* What a run was opened from: the texts of its scenario and of the modules
 * next to it, and the sums of the data files that it requested. A recording
 * contains all of these, so that the reproduced run is the recorded one.
 *
 * Inputs are collected while a scenario is opened. Those of a recording
 * replace the files: texts are read from them, and a changed data file is
 * rejected. As lines of a text:
 *
 *     # inputs
 *     scenario NAME       followed by its text, each line behind "|"
 *     module NAME         the same
 *     data SUM NAME       a file that was there
 *     absent NAME         one that was asked for and was not
 *
 * Names are those that the script gave, or with which the scenario was opened.
 * All bytes but printable ASCII, and backslashes, are written as \xHH. */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cs_input_kind {
    CS_INPUT_SCENARIO,
    CS_INPUT_MODULE,
    CS_INPUT_DATA,
    CS_INPUT_ABSENT,
    CS_INPUT_KINDS
} cs_input_kind;

typedef struct cs_inputs cs_inputs;

/* The first line of the text. */
#define CS_INPUTS_HEAD "# inputs\n"
enum {
    CS_INPUTS_MOST = 1000,         /* files of one scenario */
    CS_INPUTS_TEXT_MOST = 1 << 20, /* bytes of one text ... */
    CS_INPUTS_ALL_MOST = 16 << 20, /* ... and of all */
    CS_INPUTS_NAME_MOST = 1024     /* bytes of a name, with its end */
};

/* Empty ones, to be noted. [own: cs_inputs_drop] NULL: no memory. */
cs_inputs *cs_inputs_create(void);
/* Returns `in`, which then has one owner more. NULL is fine, for both. */
cs_inputs *cs_inputs_hold(cs_inputs *in);
void cs_inputs_drop(cs_inputs *in);

/* Reads those of a recording. *out [own: cs_inputs_drop] */
cs_status cs_inputs_read(cs_inputs **out, const char *text, cs_error *err);
/* Writes them as text. */
void cs_inputs_put(const cs_inputs *in, cs_page *p);
/* A number that changes when something is noted. */
uint64_t cs_inputs_mark(const cs_inputs *in);

/* Whether they come from a recording. */
bool cs_inputs_are_recorded(const cs_inputs *in);

/* A text [borrowed] that a recording carries, with a zero behind its *size
 * bytes; NULL: no text of that name, or `in` is not of a recording. The
 * scenario has no name. */
const char *cs_inputs_text(const cs_inputs *in, cs_input_kind kind,
                           const char *name, size_t *size);
/* The scenario's text, recorded or noted. */
const char *cs_inputs_scenario(const cs_inputs *in, size_t *size);
/* Notes a text that was read from a file. */
void cs_inputs_note(cs_inputs *in, cs_input_kind kind, const char *name,
                    const char *text, size_t size);

/* Whether a recording says that there was no such file. */
bool cs_inputs_lack(const cs_inputs *in, const char *name);
/* The script asks for the data file `name`, which is at `path`; notes it. With
 * inputs of a recording: fails where it is not as it was, or cannot be compared
 * (see below). Call it each time: the file may have changed. */
cs_status cs_inputs_data(cs_inputs *in, const char *name, const char *path,
                         cs_error *err);
/* The same of a module of which a recording carries no text. */
cs_status cs_inputs_module(cs_inputs *in, const char *name, cs_error *err);
/* The first failure of the two since the last cs_inputs_forgive: the script may
 * have caught it. */
cs_status cs_inputs_failure(const cs_inputs *in, cs_error *err);
void cs_inputs_forgive(cs_inputs *in);

/* Compares the texts of a recording with the scenario at `path` and the modules
 * beside it; true: all are equal, and files that the recording does not know
 * may be opened too, as the scenario itself might. Else words[size] say what
 * differs, and only files may be opened that the recording knows. */
bool cs_inputs_match(cs_inputs *in, const char *path, char *words, size_t size);
/* Whether something differed. */
bool cs_inputs_are_strict(const cs_inputs *in);
/* Requested data file number i: its name [borrowed], whether it existed, and
 * the sum of its contents. Returns false past the last. */
bool cs_inputs_file(const cs_inputs *in, size_t i, const char **name,
                    bool *there, uint64_t *sum);
/* Whether the scenario's text is text[n], or that of the file at `path`. */
bool cs_inputs_are_of(const cs_inputs *in, const char *text, size_t n);
bool cs_inputs_are_at(const cs_inputs *in, const char *path);
