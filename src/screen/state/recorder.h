/* What is painted, recorded in a file that terminals and web players play again
 * (asciicast v2), with what the run can be made of again (data/cast.h). Its
 * bytes are made from the frames, not by the terminal, and it is as large as
 * they differ: RATE bytes a second at most, frames beyond are left out. What
 * was written are whole lines, whenever the program is killed. */
#pragma once

#include "figure/shot.h"
#include "screen/canvas/keep.h"

typedef struct cs_recording cs_recording;

enum { CS_RECORDER_RATE = 40 << 10 }; /* bytes a second */

/* Begins a file with `first`. One that is there is an error without `force`.
 * `now`: seconds of a steady clock. [own: cs_recording_stop] */
cs_status cs_recording_start(cs_recording **out, const char *path, bool force,
                             const cs_frame *first, const cs_shot *s,
                             double now, cs_error *err);

/* Records a frame, and what was said since the last one. *late: it is left out,
 * and the recording does not show what the screen does. After an error the file
 * ends with the line before. */
cs_status cs_recording_frame(cs_recording *r, const cs_canvas *c, cs_tier tier,
                             const cs_shot *s, double now, bool *late,
                             cs_error *err);

/* Whether the session is to be asked for its journal (its command of that
 * name), which has changed: once for each change. */
bool cs_recording_asks(cs_recording *r, const cs_shot *s);
/* What it has answered; NULL: nothing. */
cs_status cs_recording_journal(cs_recording *r, const char *text, double now,
                               cs_error *err);

/* Ends; says into said[size] where it is and how long. NULL is fine. */
void cs_recording_stop(cs_recording *r, double now, char *said, size_t size);
