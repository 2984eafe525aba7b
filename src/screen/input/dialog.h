/* The dialog with the session: typed lines, their completion, command lines of
 * keys, replies, and the gallery. */
#pragma once

#include "base/page.h"
#include "screen/state/app_link.h"
#include "screen/state/editor.h"
#include "screen/state/ui.h"

enum { CS_TABLE_BYTES = 512 << 10, CS_CHUNK = 8 << 10 };

typedef struct cs_dialog {
    const cs_app_link *link; /* [borrowed] */
    const cs_editor *editor; /* [borrowed] */
    cs_ui *ui;               /* [borrowed] */
    const cs_shot *shot;     /* [borrowed] */
    unsigned char *gallery;  /* [own] a copy of the last list */
    /* lines of an incomplete Lua statement that were sent */
    char chunk[CS_CHUNK];
    /* lines typed before the reply arrived; they are sent after the reply */
    char later[CS_CHUNK];
    /* id of the line whose reply is pending; 0: none */
    uint32_t awaited;
    uint32_t summary; /* id of the last typed command `summary` */
    char asked[512];  /* line for which completions were requested */
    uint32_t asks;
    /* ids of the last line sent and of the last `open`, until they have a
     * reply; 0: none */
    uint32_t unanswered, opening;
    char file[64];   /* file being opened */
    cs_page journal; /* parts of the journal received so far [own] */
} cs_dialog;

cs_status cs_dialog_init(cs_dialog *d, const cs_app_link *link,
                         const cs_editor *editor, cs_ui *ui,
                         const cs_shot *shot, cs_error *err);
void cs_dialog_fini(cs_dialog *d);

/* Sends a command line of a key; logs an error if the session is busy. `self`
 * is a cs_dialog: see cs_sender. */
bool cs_dialog_send(void *self, const char *line);
/* Requests the scenarios: the first few, then more as they arrive. */
void cs_dialog_gallery(cs_dialog *d);
/* Handles a key in any state. */
void cs_dialog_press(cs_dialog *d, unsigned key);
/* Inserts pasted text in the line being typed, with blanks instead of line
 * breaks, so that pasted text never runs. If no line is being typed, logs a
 * message. NULL: the text was too long (CS_INPUT_PASTE). */
void cs_dialog_paste(cs_dialog *d, const char *text);
/* Records the frame if a recording is active, and asks the session for the
 * journal when the recording needs it. Stops the recording with a message if
 * the file cannot be written. Returns true if the recorded frame is older than
 * the displayed one. */
bool cs_dialog_record(cs_dialog *d, const cs_canvas *c, cs_tier tier);
/* Continues the background runs and logs their messages. Returns true if the
 * display changes. */
bool cs_dialog_replicate(cs_dialog *d);
/* Opens the input line whose type is given by ui->prompt.mark. */
void cs_dialog_open(cs_dialog *d);
/* Handles a key of the line being typed. */
void cs_dialog_key(cs_dialog *d, unsigned key);
/* Closes the input line without running it. */
void cs_dialog_close(cs_dialog *d);
/* Clears the input line; the console remains open for the next line. */
void cs_dialog_clear(cs_dialog *d);
/* Writes to ui->wait how long the session has been busy. `seconds`: the time
 * since the session's last reply; 0: the session is not busy, or its last
 * reply is too recent to be reported. */
void cs_dialog_wait(cs_dialog *d, long seconds);
/* Reads all available replies. Returns true if any replies were available. */
bool cs_dialog_answers(cs_dialog *d);
