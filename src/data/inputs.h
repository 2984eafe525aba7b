/* The inputs of a run: the texts of its scenario and of the modules next to it,
 * and the checksums of the data files that it requested. A recording contains
 * its inputs, so that the reproduced run equals the recorded one.
 *
 * Inputs are collected while a scenario is opened. The inputs in a recording
 * replace the files: texts are read from the recording, and a changed data file
 * is rejected. The text format is:
 *
 *     # inputs
 *     scenario NAME       followed by its text, each line after "|"
 *     module NAME         followed by its text in the same way
 *     data SUM NAME       a file that existed, with its checksum
 *     absent NAME         a requested file that did not exist
 *
 * NAME is the name used by the script, or the name with which the scenario was
 * opened. Backslashes, and all bytes except printable ASCII, are written as
 * \xHH. */
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

/* First line of the text. */
#define CS_INPUTS_HEAD "# inputs\n"
enum {
    CS_INPUTS_MOST = 1000,         /* maximum number of files of one scenario */
    CS_INPUTS_TEXT_MOST = 1 << 20, /* maximum bytes of one text */
    CS_INPUTS_ALL_MOST = 16 << 20, /* maximum bytes of all texts */
    CS_INPUTS_NAME_MOST = 1024     /* maximum bytes of a name, with its
                                    * terminator */
};

/* Creates an empty list, to which inputs can be added. Returns NULL if out of
 * memory. [own: cs_inputs_drop] */
cs_inputs *cs_inputs_create(void);
/* Adds an owner, and returns `in`. The second function removes an owner. Both
 * accept NULL. */
cs_inputs *cs_inputs_hold(cs_inputs *in);
void cs_inputs_drop(cs_inputs *in);

/* Reads the inputs of a recording. *out [own: cs_inputs_drop] */
cs_status cs_inputs_read(cs_inputs **out, const char *text, cs_error *err);
/* Writes the inputs as text. */
void cs_inputs_put(const cs_inputs *in, cs_page *p);
/* Returns a number that changes when an input is added. */
uint64_t cs_inputs_mark(const cs_inputs *in);

/* True if the inputs were read from a recording. */
bool cs_inputs_are_recorded(const cs_inputs *in);

/* Returns a text [borrowed] that a recording contains, with a zero after its
 * *size bytes. Returns NULL if there is no text of that name, or if `in` is not
 * from a recording. The scenario has no name. */
const char *cs_inputs_text(const cs_inputs *in, cs_input_kind kind,
                           const char *name, size_t *size);
/* Returns the scenario's text, from the recording or from the file. */
const char *cs_inputs_scenario(const cs_inputs *in, size_t *size);
/* Adds a text that was read from a file. */
void cs_inputs_note(cs_inputs *in, cs_input_kind kind, const char *name,
                    const char *text, size_t size);

/* True if the recording states that no such file existed. */
bool cs_inputs_lack(const cs_inputs *in, const char *name);
/* Adds the data file `name`, which is at `path`. With inputs of a recording,
 * fails if the file has changed or cannot be compared (see below). Call it at
 * each request, because the file may have changed. */
cs_status cs_inputs_data(cs_inputs *in, const char *name, const char *path,
                         cs_error *err);
/* Fails in the same way for a module that the recording does not contain. */
cs_status cs_inputs_module(cs_inputs *in, const char *name, cs_error *err);
/* Returns the first failure of these two functions since the last
 * cs_inputs_forgive, because a script may have caught the error. */
cs_status cs_inputs_failure(const cs_inputs *in, cs_error *err);
void cs_inputs_forgive(cs_inputs *in);

/* Compares the texts of a recording with the scenario at `path` and the modules
 * next to it. If all are equal, returns true; files that the recording does not
 * know may then be opened, as the scenario itself might open them. Otherwise
 * describes the difference in words[size]; only files that the recording knows
 * may be opened. */
bool cs_inputs_match(cs_inputs *in, const char *path, char *words, size_t size);
/* True if the comparison found a difference. */
bool cs_inputs_are_strict(const cs_inputs *in);
/* Returns data file number i: its name [borrowed], whether it existed, and the
 * checksum of its contents. Returns false after the last one. */
bool cs_inputs_file(const cs_inputs *in, size_t i, const char **name,
                    bool *there, uint64_t *sum);
/* Return true if the scenario's text is text[n], or equals the file at
 * `path`. */
bool cs_inputs_are_of(const cs_inputs *in, const char *text, size_t n);
bool cs_inputs_are_at(const cs_inputs *in, const char *path);
