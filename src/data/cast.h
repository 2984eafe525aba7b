/* Recordings of a terminal: asciicast v2. Lines of JSON: an object with width
 * and height, then [seconds, "code", "text"]. Codes: "o" bytes for the
 * terminal, "i" bytes typed, "m" a marker, "r" another size ("80x24"). A
 * recording of this program has further codes, which players ignore and from
 * which the run is reproduced:
 *
 *     "T"  what the run was opened from (data/inputs.h) begins
 *     "t"  it continues
 *     "J"  the journal of a run (run/run.h) begins, with comments that name the
 *          run: "# scenario FILE", "# digest HEX" of its text, "# set NAME=VALUE"
 *          with what it was opened, "# made HEX" of what it was made of
 *     "j"  it continues
 *     "s"  from here on the screen shows the run at this step
 *     "e"  the recording is whole
 *     "c"  a sum, as 16 hexadecimal digits, over all lines so far but those of
 *          sums, with their line ends (cs_running_sum). Each other line, the
 *          first included, is followed by one */
#pragma once

#include "base/page.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest number of columns and of lines. */
enum { CS_CAST_WIDEST = 1000 };
/* Largest file, in bytes: hours of recording. */
enum { CS_CAST_MOST = 1 << 28 };

typedef struct cs_cast_event {
    double time; /* seconds from the start, never before the one before it */
    char code;
    const char *text; /* [borrowed from the text that was read] */
    size_t size;
} cs_cast_event;

typedef struct cs_cast {
    int width, height;
    char title[128];      /* "": none */
    cs_cast_event *event; /* [own] */
    size_t n, room;
    bool torn;   /* the last line is incomplete and dropped */
    bool summed; /* each line has a sum, and all of them are right */
    bool ended;  /* whoever wrote it ended it */
    int lines;   /* of the file, up to the last one that is taken */
} cs_cast;

/* Reads text[size], which stays [borrowed] and is changed on the way; `where`
 * names it in errors, which name the line. Events of unknown codes are
 * dropped. The result is valid for any input bytes; its texts may be unsafe to
 * print. A recording with a wrong or missing sum is rejected. [own:
 * cs_cast_fini] */
cs_status cs_cast_read(cs_cast *out, char *text, size_t size, const char *where,
                       cs_error *err);
void cs_cast_fini(cs_cast *c);

/* The step that is shown after event number `at`; -1: not known. */
double cs_cast_step(const cs_cast *c, size_t at);

/* The newest journal of the recording with its comments, up to where the
 * recording shows it, or up to `step` where that is earlier or later. *out
 * [own: cs_free]; fails if there is none: not a recording of this program. */
cs_status cs_cast_journal(const cs_cast *c, const uint64_t *step, char **out,
                          cs_error *err);

/* The text of what the run of that journal was opened from (cs_inputs_read). The
 * same. */
cs_status cs_cast_inputs(const cs_cast *c, char **out, cs_error *err);

/* Adds to `p` the line that sums up the one from byte `from` on, which has its
 * end; *sum is CS_DIGEST before the first line. */
void cs_cast_put_sum(cs_page *p, size_t from, double seconds, uint64_t *sum);
