/* A recording of the screen in a file for terminal and web players (asciicast
 * v2), with the data to reproduce the run (data/cast.h). It is made from
 * frames, not from the terminal's bytes, so its size depends on the changes: at
 * most CS_RECORDER_RATE bytes per second; frames beyond that are left out. The
 * file always consists of complete lines, whenever the program is killed. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/frame_files.h"

typedef struct cs_recording cs_recording;

enum { CS_RECORDER_RATE = 40 << 10 }; /* bytes per second */

/* Starts a file with `first`. An existing file is an error without `force`.
 * `now`: seconds of a steady clock. [own: cs_recording_stop] */
cs_status cs_recording_start(cs_recording **out, const char *path, bool force,
                             const cs_frame *first, const cs_shot *s,
                             double now, cs_error *err);

/* Records a frame, and the messages since the last one. *late: the frame was
 * left out, so the recording lags behind. After an error the file ends with the
 * line before. */
cs_status cs_recording_frame(cs_recording *r, const cs_canvas *c, cs_tier tier,
                             const cs_shot *s, double now, bool *late,
                             cs_error *err);

/* Returns whether to ask the session for its journal (the command `journal`);
 * true once for each change. */
bool cs_recording_asks(cs_recording *r, const cs_shot *s);
/* Records the journal that the session returned; NULL: none. */
cs_status cs_recording_journal(cs_recording *r, const char *text, double now,
                               cs_error *err);

/* Ends a recording; writes its path and length to said[size]. NULL is
 * allowed. */
void cs_recording_stop(cs_recording *r, double now, char *said, size_t size);
