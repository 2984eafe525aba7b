/* What is said to the session and what it answers: lines that are typed, their
 * completion, command lines that keys make, the gallery. */
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
    char chunk[CS_CHUNK]; /* lines of Lua that are not a whole yet, as sent */
    char later[CS_CHUNK]; /* and those typed since: they wait for the reply */
    uint32_t awaited;     /* the id of that reply, 0: none */
    uint32_t summary;     /* of the last `summary` that was typed */
    char asked[512];      /* the line that completions were asked for */
    uint32_t asks;
    uint32_t unanswered, opening; /* the ids of these lines, 0: none */
    char file[64];                /* that is being opened */
    cs_page journal;              /* what has come of it [own] */
} cs_dialog;

cs_status cs_dialog_init(cs_dialog *d, const cs_app_link *link,
                         const cs_editor *editor, cs_ui *ui,
                         const cs_shot *shot, cs_error *err);
void cs_dialog_fini(cs_dialog *d);

/* Sends what a key means; says so when the session takes nothing. `self` is a
 * cs_dialog: see cs_sender. */
bool cs_dialog_send(void *self, const char *line);
/* Asks for the scenarios: for those that come first, and as they come for more. */
void cs_dialog_gallery(cs_dialog *d);
/* A key, wherever it goes. */
void cs_dialog_press(cs_dialog *d, unsigned key);
/* Records the frame where one is recorded, with the journal, for which it asks;
 * ends what cannot be written, and says so. Whether the recording lags behind
 * the frame. */
bool cs_dialog_record(cs_dialog *d, const cs_canvas *c, cs_tier tier);
/* Goes on with the replicates, and says how they went: whether something is to
 * be shown. */
bool cs_dialog_replicate(cs_dialog *d);
/* Begins the line that ui->prompt.mark asks for. */
void cs_dialog_open(cs_dialog *d);
/* A key of the line that is typed. */
void cs_dialog_key(cs_dialog *d, unsigned key);
/* Gives the line up. */
void cs_dialog_close(cs_dialog *d);
/* The same, but the console stays open for the next line. */
void cs_dialog_clear(cs_dialog *d);
/* Says in ui->wait for how long nothing has come though the session is at
 * work; 0: it has. */
void cs_dialog_wait(cs_dialog *d, long seconds);
/* Takes all answers that are there; true when there were any. */
bool cs_dialog_answers(cs_dialog *d);
