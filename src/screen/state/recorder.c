#include "screen/state/recorder.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/page.h"
#include "base/text.h"
#include "data/cast.h"
#include "data/inputs.h"
#include "files/file.h"
#include "files/overwrite.h"
#include "files/replace.h"
#include "screen/canvas/canvas_export.h"
#include "screen/parts/tell_course.h"
#include "session/client/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Lines never cross a page border of the file: an interrupted write (by
 * SIGKILL, for example) ends at a page border, and thus between two lines. A
 * line that would leave less than LEAST bytes in its page is therefore
 * padded with blanks. */
enum {
    PAGE = 4096,
    LEAST = 256,
    /* bytes of an event: its checksum and everything else except its text */
    FRAME = 80,
    MARK = 2048 /* longest text of a mark */
};

struct cs_recording {
    char path[1024]; /* absolute path of the file */
    uint64_t size;   /* size in bytes of the complete lines on disk */
    cs_page out;     /* lines to be written */
    double begun;
    /* credit: bytes that may be written; credited: time when it was computed */
    double credit, credited;
    cs_canvas shown;       /* the screen as recorded so far */
    double step, messages; /* values of the last recorded snapshot */
    char lesson[320];      /* state of the lesson at its last mark; "": no
                            * lesson */
    char *journal;         /* [own] journal as recorded; NULL: none yet */
    /* [own] the recorded inputs with which the run is opened */
    char *inputs;
    uint64_t sum; /* checksum of the recording's lines */
    bool failed;  /* a line was lost, so no more lines are added */
    /* value of run/journal: `known` for the recorded journal, `asked` for
     * the last requested journal; NAN: none */
    double known, asked;
    double at_step, at_sign; /* run/steps and run/journal of the last frame */
};

/* ---- lines --------------------------------------------------------------- */

static size_t room_of(const cs_recording *r)
{
    return PAGE - (size_t)((r->size + r->out.used) % PAGE);
}

/* Ends the line that starts at byte `from`, and adds its checksum on the same
 * page. */
static void end_line(cs_recording *r, size_t from, double time)
{
    cs_page_put(&r->out, "\n");
    cs_cast_put_sum(&r->out, from, time, &r->sum);
    size_t left = room_of(r) - 1;
    cs_page_put(&r->out, "%*s\n", left < LEAST ? (int)left : 0, "");
}

/* Returns the number of bytes of text[n] that fit in `capacity` bytes when
 * quoted. */
static size_t fitting(const char *text, size_t n, size_t capacity)
{
    size_t at = 0, used = 0;
    while (at < n) {
        unsigned code = 0;
        size_t k = cs_utf8_decode(text + at, n - at, &code);
        used += !k || code < 32 ? 6 : k + (code == '"' || code == '\\');
        if (used > capacity)
            break;
        at += k ? k : 1;
    }
    return at;
}

/* Writes an event, split into several lines if needed. All lines after the
 * first have the code `more`. */
static void put_long(cs_recording *r, double now, char code, char more,
                     char *text, size_t n)
{
    double time = fmax(now - r->begun, 0);
    for (size_t at = 0; at < n && !r->out.full; code = more) {
        size_t k = fitting(text + at, n - at, room_of(r) - FRAME);
        char after = text[at + k];
        size_t from = r->out.used;
        text[at + k] = 0;
        cs_page_put(&r->out, "[%.3f, \"%c\", ", time, code);
        cs_page_quoted(&r->out, text + at);
        cs_page_put(&r->out, "]");
        end_line(r, from, time);
        text[at + k] = after;
        at += k;
    }
}

static void put(cs_recording *r, double now, char code, char *text, size_t n)
{
    put_long(r, now, code, code, text, n);
}

static void put_text(cs_recording *r, double now, char code, const char *text)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    put(r, now, code, copy, strlen(copy));
}

/* Writes a mark. */
static void put_mark(cs_recording *r, double now, const char *text)
{
    char copy[MARK];
    snprintf(copy, sizeof copy, "%s", text);
    put_long(r, now, 'm', 'n', copy, strlen(copy));
}

/* Writes the pending lines; after an error, removes incomplete lines. */
static cs_status flush(cs_recording *r, cs_error *err)
{
    cs_status status = CS_OK;
    if (r->out.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the recording");
    else if (r->out.used)
        status = cs_file_write_at(r->path, r->size, r->out.text, r->out.used,
                                  false, err);
    if (status)
        cs_file_cut(r->path, r->size, NULL);
    else
        r->size += r->out.used;
    r->failed |= status != CS_OK;
    r->credit -= (double)r->out.used;
    r->out.used = 0;
    return status;
}

/* ---- frames -------------------------------------------------------------- */

static void put_change(cs_recording *r, const cs_canvas *c, cs_tier tier,
                       double now)
{
    char *bytes = NULL, size[32];
    size_t n = 0;
    bool other = c->width != r->shown.width || c->height != r->shown.height;
    FILE *to = open_memstream(&bytes, &n);
    bool good =
        to && cs_canvas_export_change(other ? NULL : &r->shown, c, tier, to);
    if (to && fclose(to) != 0)
        good = false;
    if (other && r->shown.width > 0) { /* not the first frame */
        snprintf(size, sizeof size, "%dx%d", c->width, c->height);
        put_text(r, now, 'r', size);
    }
    if (good)
        put(r, now, 'o', bytes, n);
    good = good && cs_canvas_copy(&r->shown, c, NULL) == CS_OK;
    r->out.full |= !good;
    free(bytes);
}

/* Writes a mark for each message since the last call. */
static void put_marks(cs_recording *r, const cs_shot *s, double now)
{
    double n = cs_shot_number(s, 0, "run/messages");
    for (double i = fmax(r->messages, n - CS_SAID); i < n; i++)
        put_mark(r, now,
                 cs_shot_text(s, "run/said/%zu", (size_t)fmod(i, CS_SAID)));
    r->messages = n;
}

/* Writes a mark if the lesson has gone to another step, or if its question has
 * got an answer: the lines of `chainscope --plain`. */
static void put_lesson(cs_recording *r, const cs_shot *s, double now)
{
    char state[sizeof r->lesson];
    cs_page text = {0};
    if (!cs_tells_course(s))
        return;
    snprintf(state, sizeof state, "%.20s %.20s %.20s\n%.240s",
             cs_shot_text(s, "course/step"), cs_shot_text(s, "course/mark"),
             cs_shot_text(s, "course/over"), cs_shot_text(s, "course/answer"));
    if (strcmp(state, r->lesson) == 0)
        return;
    size_t n = strcspn(state, "\n");
    bool answers = strncmp(state, r->lesson, n + 1) == 0;
    memcpy(r->lesson, state, sizeof state);
    if (answers)
        cs_tell_answer(s, &text);
    else
        cs_tell_course(s, &text);
    if (text.text && text.used)
        text.text[text.used - 1] = 0; /* the last line end */
    if (text.text)
        put_mark(r, now, text.text);
    cs_free(text.text);
}

/* Writes the step of the last frame, if the recorded journal reproduces it. */
static void put_known_step(cs_recording *r, double now)
{
    char text[32];
    if (r->at_step < 0 || r->at_step == r->step || r->at_sign != r->known)
        return;
    snprintf(text, sizeof text, "%.0f", r->at_step);
    put_text(r, now, 's', text);
    r->step = r->at_step;
}

static void put_step(cs_recording *r, const cs_shot *s, double now)
{
    r->at_step = cs_shot_number(s, -1, "run/steps");
    r->at_sign = cs_shot_number(s, NAN, "run/journal");
    put_known_step(r, now);
}

cs_status cs_recording_frame(cs_recording *r, const cs_canvas *c, cs_tier tier,
                             const cs_shot *s, double now, bool *late,
                             cs_error *err)
{
    r->credit = fmin(r->credit + (now - r->credited) * CS_RECORDER_RATE,
                     CS_RECORDER_RATE);
    r->credited = now;
    *late = r->credit <= 0;
    if (!*late)
        put_change(r, c, tier, now);
    put_marks(r, s, now);
    put_lesson(r, s, now);
    if (!*late)
        put_step(r, s, now);
    return flush(r, err);
}

cs_status cs_recording_mark(cs_recording *r, const char *text, double now,
                            cs_error *err)
{
    put_mark(r, now, text);
    return flush(r, err);
}

/* ---- the journal --------------------------------------------------------- */

bool cs_recording_asks(cs_recording *r, const cs_shot *s)
{
    double now = cs_shot_number(s, NAN, "run/journal");
    if (isnan(now) || now == r->asked)
        return false;
    r->asked = now;
    return true;
}

/* Copies the first n bytes, without their last line, which contains the
 * current step. */
static char *without_end(const char *text, size_t n)
{
    char *copy = cs_copy_text(text);
    while (copy && n && copy[n - 1] == '\n')
        n--;
    while (copy && n && copy[n - 1] != '\n')
        n--;
    if (copy)
        copy[n] = 0;
    return copy;
}

/* Writes a mark for each change of an arm in the journal's lines. A line for
 * data stored by a script (`kept`) gets no mark. */
static void put_changes(cs_recording *r, const char *lines, double now)
{
    char text[200];
    for (const char *at = lines; *at; at += *at == '\n') {
        size_t n = strcspn(at, "\n"), digits = strspn(at, "0123456789");
        snprintf(text, sizeof text, "changed after step %.*s: arm%.*s",
                 (int)digits, at, (int)(n - digits), at + digits);
        if (digits && strncmp(at + digits, " kept ", 6) != 0)
            put_mark(r, now, text);
        at += n;
    }
}

/* Writes the inputs with which the run was opened, if they are new; the
 * journal follows. Inputs are not displayed, so they are not subject to the
 * limit of bytes per second. */
static bool put_inputs(cs_recording *r, const char *inputs, double now)
{
    if (r->inputs && strcmp(r->inputs, inputs) == 0)
        return true;
    cs_free(r->journal);
    r->journal = NULL;
    char *copy = cs_copy_text(inputs);
    if (!copy)
        return false;
    size_t before = r->out.used;
    put_long(r, now, 'T', 't', copy, strlen(copy));
    r->credit += (double)(r->out.used - before);
    cs_free(r->inputs);
    r->inputs = copy;
    return true;
}

/* Returns the start of the inputs in the session's reply. */
static const char *inputs_in(const char *text)
{
    const char *at = strstr(text, "\n" CS_INPUTS_HEAD);
    return at ? at + 1 : text + strlen(text);
}

cs_status cs_recording_journal(cs_recording *r, const char *text, double now,
                               cs_error *err)
{
    r->known = NAN;
    if (!text)
        return CS_OK;
    const char *inputs = inputs_in(text);
    char *lines = without_end(text, (size_t)(inputs - text));
    if (!lines || !put_inputs(r, inputs, now)) {
        cs_free(lines);
        return cs_fail(err, CS_MEMORY, "out of memory for the journal");
    }
    size_t n = r->journal ? strlen(r->journal) : 0;
    bool more = r->journal && strncmp(lines, r->journal, n) == 0;
    if (more) {
        put_changes(r, lines + n, now);
        put(r, now, 'j', lines + n, strlen(lines + n));
    } else {
        put_long(r, now, 'J', 'j', lines, strlen(lines));
    }
    cs_free(r->journal);
    r->journal = lines;
    r->known = r->asked;
    r->step = -1;
    put_known_step(r, now); /* there may be no further frame */
    return flush(r, err);
}

/* ---- start and end ------------------------------------------------------- */

static cs_status put_header(cs_recording *r, const cs_frame *f,
                            const cs_shot *s, const char *path, bool force,
                            cs_error *err)
{
    char title[80], file[512];
    snprintf(title, sizeof title, "%s", cs_shot_text(s, "run/title"));
    snprintf(file, sizeof file, "%s", cs_shot_text(s, "run/file"));
    cs_page_put(&r->out,
                "{\"version\": 2, \"width\": %d, \"height\": %d, "
                "\"timestamp\": %lld, \"title\": ",
                f->canvas.width, f->canvas.height, (long long)time(NULL));
    cs_page_quoted(&r->out, title);
    cs_page_put(&r->out,
                ", \"env\": {\"TERM\": \"xterm-256color\"}, \"chainscope\": "
                "{\"version\": \"%s\", \"scenario\": ",
                CS_VERSION);
    cs_page_quoted(&r->out, file);
    cs_page_put(&r->out, ", \"seed\": \"%.0f\"}}",
                cs_shot_number(s, 0, "run/seed"));
    end_line(r, 0, 0);
    if (r->out.full)
        return cs_fail(err, CS_MEMORY, "out of memory for the recording");
    cs_status status = CS_OK;
    if (force)
        status = cs_output_allow(path, CS_OUTPUT_RECORDING, NULL, 0, err);
    if (status == CS_OK)
        status = force ? cs_file_replace(path, r->out.text, r->out.used, err)
                       : cs_file_create(path, r->out.text, r->out.used, err);
    if (status == CS_INPUT && !force)
        cs_hint(err, "choose another name, or add force");
    r->size = r->out.used;
    r->out.used = 0;
    return status;
}

cs_status cs_recording_start(cs_recording **out, const char *path, bool force,
                             const cs_frame *first, const cs_shot *s,
                             double now, cs_error *err)
{
    bool late;
    *out = NULL;
    cs_recording *r = cs_alloc(1, sizeof *r);
    if (!r)
        return cs_fail(err, CS_MEMORY, "out of memory for the recording");
    r->begun = r->credited = now;
    r->credit = CS_RECORDER_RATE;
    r->known = r->asked = r->at_sign = NAN;
    r->at_step = -1;
    r->sum = CS_DIGEST;
    r->step = -1;
    r->messages = cs_shot_number(s, 0, "run/messages");
    cs_status status = put_header(r, first, s, path, force, err);
    if (status == CS_OK) {
        cs_screenshot_path(path, r->path, sizeof r->path);
        status = cs_recording_frame(r, &first->canvas, first->tier, s, now,
                                    &late, err);
    }
    if (status)
        cs_recording_stop(r, now, NULL, 0);
    else
        *out = r;
    return status;
}

/* Marks the recording as complete, unless a line was lost. */
static void put_end(cs_recording *r, double now)
{
    double time = fmax(now - r->begun, 0);
    if (r->failed || !r->size)
        return;
    size_t from = r->out.used;
    cs_page_put(&r->out, "[%.3f, \"e\", \"\"]", time);
    end_line(r, from, time);
    flush(r, NULL);
}

void cs_recording_stop(cs_recording *r, double now, char *said, size_t size)
{
    if (!r)
        return;
    put_end(r, now);
    if (said)
        snprintf(said, size, "recorded %.0f s of the screen (%.0f KiB) to %s",
                 now - r->begun, ceil((double)r->size / 1024), r->path);
    cs_canvas_fini(&r->shown);
    CS_FREE_ALL(r->out.text, r->journal, r->inputs, r);
}
