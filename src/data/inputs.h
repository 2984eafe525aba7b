/* The inputs of a run: the texts of the run's scenario and of the modules next
 * to the scenario, and the checksums of the data files that the scenario
 * requested. A recording contains its inputs, so that the reproduced run equals
 * the recorded one.
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

/* Creates an empty list, to which inputs of a run can be added. Returns NULL if
 * out of memory. [own: cs_inputs_drop] */
cs_inputs *cs_inputs_create(void);
/* cs_inputs_hold adds an owner and returns `in`; cs_inputs_drop removes an
 * owner. Both accept NULL. */
cs_inputs *cs_inputs_hold(cs_inputs *in);
void cs_inputs_drop(cs_inputs *in);

/* Reads the inputs of a recording. *out [own: cs_inputs_drop] */
cs_status cs_inputs_read(cs_inputs **out, const char *text, cs_error *err);
/* Writes the inputs as text. */
void cs_inputs_put(const cs_inputs *in, cs_page *p);
/* Returns a number that changes when an input is added. */
uint64_t cs_inputs_mark(const cs_inputs *in);

/* Returns true if the inputs were read from a recording. */
bool cs_inputs_are_recorded(const cs_inputs *in);

/* Returns the text of a file [borrowed] if a recording contains this text. A
 * zero follows the *size bytes of the text. Returns NULL if the recording has
 * no such text, or if `in` is not from a recording. If the text of the scenario
 * is requested, `name` is ignored. */
const char *cs_inputs_text(const cs_inputs *in, cs_input_kind kind,
                           const char *name, size_t *size);
/* Returns the scenario's text, from the recording or from the file. */
const char *cs_inputs_scenario(const cs_inputs *in, size_t *size);
/* Adds to the inputs the text of a file that was read. */
void cs_inputs_note(cs_inputs *in, cs_input_kind kind, const char *name,
                    const char *text, size_t size);

/* Returns true if, according to the recording, the file `name` did not
 * exist. */
bool cs_inputs_lack(const cs_inputs *in, const char *name);
/* Adds to the inputs the data file `name`, which is at `path`. If the inputs
 * are those of a recording, fails if the file has changed or cannot be compared
 * (see cs_inputs_match). Call this function at each request for the file,
 * because the file may have changed. */
cs_status cs_inputs_data(cs_inputs *in, const char *name, const char *path,
                         cs_error *err);
/* Fails like cs_inputs_data for a module that the recording does not
 * contain. */
cs_status cs_inputs_module(cs_inputs *in, const char *name, cs_error *err);
/* Returns the first failure of cs_inputs_data or cs_inputs_module since the
 * last call of cs_inputs_forgive, even if a script has caught the error. */
cs_status cs_inputs_failure(const cs_inputs *in, cs_error *err);
void cs_inputs_forgive(cs_inputs *in);

/* Compares the texts of a recording with the scenario at `path` and with the
 * modules next to the scenario. Returns true if all texts are equal; files that
 * the recording does not list may then also be opened later. Otherwise
 * describes the difference in words[size]; later only files that the recording
 * lists may be opened. */
bool cs_inputs_match(cs_inputs *in, const char *path, char *words, size_t size);
/* Returns true if cs_inputs_match found a difference. */
bool cs_inputs_are_strict(const cs_inputs *in);
/* Returns the description of data file number i: its name [borrowed], whether
 * it existed, and the checksum of its contents. Returns false after the last
 * file. */
bool cs_inputs_file(const cs_inputs *in, size_t i, const char **name,
                    bool *there, uint64_t *sum);
/* Return true if the text of the scenario equals text[n], or the content of the
 * file at `path`. */
bool cs_inputs_are_of(const cs_inputs *in, const char *text, size_t n);
bool cs_inputs_are_at(const cs_inputs *in, const char *path);
