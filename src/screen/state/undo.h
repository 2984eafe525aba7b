/* Undo. Before each change by the user, a copy of the display's state is
 * stored. Changes of the run are undone by its session (the commands `undo` and
 * `redo`). For any other change, a message explains how to revert it. */
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
        bool of_run; /* the session undoes this step */
        cs_shown shown;
    } step[CS_UNDO_STEPS];
    /* steps before `at` are done, the steps from `at` on are undone */
    size_t at, n;
    cs_shown now;   /* last state of the display */
    double changes; /* value of run/changes after the last step */
    /* how to revert the last action, if it cannot be undone; else NULL */
    const char *instead;
} cs_undo;

/* Discards all steps, because another scenario was opened. `changes`: the
 * new run's count of changes. */
void cs_undo_clear(cs_ui *ui, double changes);

/* Called after an action of the user. If the action changed the state, stores
 * the previous state. */
void cs_undo_look(cs_ui *ui);
/* Called after a change that the user did not make: undo will not revert
 * this change. */
void cs_undo_accept(cs_ui *ui);
/* Called after a snapshot: stores the session's count of changes. */
void cs_undo_changes(cs_ui *ui, double changes);
/* Called after a command that cannot be undone; `what` explains how to revert
 * it. */
void cs_undo_instead(cs_ui *ui, const char *what);

/* Undo the last step; redo the last undone step. Both return the session's
 * command for the step; if no command is needed, both return NULL. */
const char *cs_undo_back(cs_ui *ui);
const char *cs_undo_again(cs_ui *ui);
