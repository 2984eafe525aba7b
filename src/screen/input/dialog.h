/* The dialog with the session: typed lines, their completion, command lines of
 * keys, answers, the gallery. */
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
    char chunk[CS_CHUNK];    /* lines of an incomplete Lua statement, as sent */
    char later[CS_CHUNK];    /* lines typed since, which wait for the reply */
    uint32_t awaited;        /* id of that reply; 0: none */
    uint32_t summary;        /* id of the last `summary` typed */
    char asked[512];         /* the line that completions were requested for */
    uint32_t asks;
    uint32_t unanswered, opening; /* ids of these lines; 0: none */
    char file[64];                /* file being opened */
    cs_page journal;              /* parts received so far [own] */
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
/* Records the frame if a recording is on, with the journal, which it requests;
 * stops the recording with a message if it cannot be written. Returns whether
 * the recording lags behind the frame. */
bool cs_dialog_record(cs_dialog *d, const cs_canvas *c, cs_tier tier);
/* Continues the background runs and logs their news; returns whether the
 * display changes. */
bool cs_dialog_replicate(cs_dialog *d);
/* Starts the line that ui->prompt.mark asks for. */
void cs_dialog_open(cs_dialog *d);
/* Handles a key of the line being typed. */
void cs_dialog_key(cs_dialog *d, unsigned key);
/* Cancels the line. */
void cs_dialog_close(cs_dialog *d);
/* The same, but the console stays open for the next line. */
void cs_dialog_clear(cs_dialog *d);
/* Writes to ui->wait how long the busy session has not replied; 0: it has. */
void cs_dialog_wait(cs_dialog *d, long seconds);
/* Takes all available answers; returns true if there were any. */
bool cs_dialog_answers(cs_dialog *d);
