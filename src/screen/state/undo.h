/* Undo: before each change by the user a copy of the display's state is kept;
 * changes of the run are undone by its session (the commands `undo` and
 * `redo`); for anything else a message says how to revert it. */
#pragma once

#include "screen/canvas/theme.h"
#include "screen/state/layout.h"

typedef struct cs_ui cs_ui;

/* The state of the display, without the focus and the displayed arm, chain and
 * coordinate. */
typedef struct cs_shown {
    const cs_theme *theme;
    cs_slots slots;
    cs_unit unit;
    bool every_arm;
} cs_shown;

enum { CS_UNDO_STEPS = 24 };

typedef struct cs_undo {
    struct {
        bool of_run; /* the session undoes it */
        cs_shown shown;
    } step[CS_UNDO_STEPS];
    size_t at, n;        /* at: steps before it are done, those from it on
                          * undone */
    cs_shown now;        /* last state of the display */
    double changes;      /* run/changes included in the steps */
    const char *instead; /* how to revert the last action if it cannot be
                          * undone; NULL: it can */
} cs_undo;

/* Forgets all steps: another scenario was opened, with this count of
 * changes. */
void cs_undo_clear(cs_ui *ui, double changes);

/* After an action of the user: keeps the previous state if it changed. */
void cs_undo_look(cs_ui *ui);
/* After a change that the user did not make: excludes it from undo. */
void cs_undo_accept(cs_ui *ui);
/* After a snapshot: takes the session's count of changes. */
void cs_undo_changes(cs_ui *ui, double changes);
/* After a command that cannot be undone: how to revert it. */
void cs_undo_instead(cs_ui *ui, const char *what);

/* Undo the last step; redo the step undone last. Return the session's command
 * for it; NULL: none. */
const char *cs_undo_back(cs_ui *ui);
const char *cs_undo_again(cs_ui *ui);
