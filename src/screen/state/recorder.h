/* Records the screen in a file for terminal and web players (asciicast v2),
 * with the data to reproduce the run (data/cast.h). A recording is made from
 * frames, not from the terminal's bytes, so its size depends on the changes
 * between frames. At most CS_RECORDER_RATE bytes per second are written;
 * frames that exceed this rate are left out. If the program is killed, the
 * file still consists of complete lines. */
#pragma once

#include "race/shot.h"
#include "screen/canvas/frame_files.h"

typedef struct cs_recording cs_recording;

enum { CS_RECORDER_RATE = 40 << 10 }; /* bytes per second */

/* Creates a file and records the first frame, `first`. If the file exists,
 * fails unless `force` is given. `now`: seconds of a steady clock. [own:
 * cs_recording_stop] */
cs_status cs_recording_start(cs_recording **out, const char *path, bool force,
                             const cs_frame *first, const cs_shot *s,
                             double now, cs_error *err);

/* Records a frame. Adds a mark for each message since the last frame, and one
 * if the lesson has gone to another step or has an answer. *late: the frame
 * was left out, so the recording ends with an older frame. After an error,
 * the last line that was written completely is the last line of the file. */
cs_status cs_recording_frame(cs_recording *r, const cs_canvas *c, cs_tier tier,
                             const cs_shot *s, double now, bool *late,
                             cs_error *err);

/* Adds a mark with this text. */
cs_status cs_recording_mark(cs_recording *r, const char *text, double now,
                            cs_error *err);

/* Returns true if the session should be asked for its journal (the command
 * `journal`). Returns true once per change of the journal. */
bool cs_recording_asks(cs_recording *r, const cs_shot *s);
/* Records the journal that the session returned; NULL: no journal. */
cs_status cs_recording_journal(cs_recording *r, const char *text, double now,
                               cs_error *err);

/* Ends a recording; writes its path and length to said[size]. NULL is
 * allowed. */
void cs_recording_stop(cs_recording *r, double now, char *said, size_t size);
