/* Recordings of a terminal in the format asciicast v2. Each line is JSON: first
 * an object with width and height, then events [seconds, "code", "text"].
 * Codes: "o" output to the terminal, "i" typed input, "m" a marker, "r" a new
 * size ("80x24"). Recordings of this program have further codes, which players
 * ignore and from which the run is reproduced:
 *
 *     "T"  start of the inputs of the run (data/inputs.h)
 *     "t"  continuation of the inputs
 *     "J"  start of the journal of a run (run/run.h), with comments that
 *          identify the run: "# scenario FILE", "# digest HEX" of its text,
 *          "# set NAME=VALUE" for its settings, "# made HEX", its fingerprint
 *     "j"  continuation of the journal
 *     "n"  continuation of a marker
 *     "s"  the step that the screen shows from this event on
 *     "e"  end of a complete recording
 *     "c"  a checksum (cs_running_sum) in 16 hexadecimal digits, over all lines
 *          so far, with their line ends, except lines of checksums. Every line
 *          that is not a checksum is followed by a line with a checksum */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of columns and of lines. */
enum { CS_CAST_WIDEST = 1000 };
/* Maximum size of a file in bytes, enough for hours of recording. */
enum { CS_CAST_MOST = 1 << 28 };

typedef struct cs_cast_event {
    double time; /* seconds since the start of the recording; never decreases */
    char code;
    const char *text; /* [borrowed from the input text] */
    size_t size;
} cs_cast_event;

typedef struct cs_cast {
    int width, height;
    char title[128];      /* "": no title */
    cs_cast_event *event; /* [own] */
    size_t n, capacity;
    bool torn;   /* true if the last line was incomplete and was dropped */
    bool summed; /* true if each line has a checksum, and all checksums are
                  * correct */
    bool ended;  /* true if the writer completed the file */
    int lines;   /* lines of the file, up to the last one used */
} cs_cast;

/* Reads text[size] [borrowed], and modifies it. Errors name `where` and the
 * line. Drops events with unknown codes. The result is valid for any input
 * bytes, but its strings may be unsafe to print. Rejects a recording with a
 * wrong or missing checksum. [own: cs_cast_fini] */
cs_status cs_cast_read(cs_cast *out, char *text, size_t size, const char *where,
                       cs_error *err);
void cs_cast_fini(cs_cast *c);

/* Drops the events after the frame at a time in seconds, as if the recording had
 * ended then. The step of a frame, and its journal, can follow it later. */
void cs_cast_cut(cs_cast *c, double seconds);

/* Returns the step that the screen shows after event number `at`; -1:
 * unknown. */
double cs_cast_step(const cs_cast *c, size_t at);

/* Returns the newest journal of the recording, with the comments of the
 * journal. The journal ends at the step that the recording shows; if `step` is
 * not NULL, it ends at *step. *out [own: cs_free]. Fails if another program
 * made the recording, because there is no journal then. */
cs_status cs_cast_journal(const cs_cast *c, const uint64_t *step, char **out,
                          cs_error *err);

/* Returns the text of the inputs from which the run of the newest journal was
 * opened (see cs_inputs_read). *out is owned as for cs_cast_journal, and the
 * errors are the same. */
cs_status cs_cast_inputs(const cs_cast *c, char **out, cs_error *err);

/* Adds to `p` a checksum line for the line that starts at byte `from`; the sum
 * includes the line end. *sum must be CS_DIGEST before the first line. */
void cs_cast_put_sum(cs_page *p, size_t from, double seconds, uint64_t *sum);
