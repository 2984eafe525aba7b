/* What was pressed, undone: of what is seen a copy is kept before each change
 * that the user makes; what was set of the run its session sets back (its
 * commands `undo` and `redo`); of the rest it is said what leads back. */
#pragma once

#include "screen/canvas/theme.h"
#include "screen/state/layout.h"

typedef struct cs_ui cs_ui;

/* What is seen, but for the focus and where it is looked at. */
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
    size_t at, n;        /* at: those before were made, those behind undone */
    cs_shown now;        /* what was seen last */
    double changes;      /* run/changes that are among the steps */
    const char *instead; /* of what was done last, which cannot be undone: what
                            leads back; NULL: it can */
} cs_undo;

/* Forgets all: another scenario is open, which counts so many changes. */
void cs_undo_clear(cs_ui *ui, double changes);

/* After what the user did: keeps what was seen before, if it changed. */
void cs_undo_look(cs_ui *ui);
/* After what the user did not do: that is not undone. */
void cs_undo_accept(cs_ui *ui);
/* After a snapshot: the session counts so many changes. */
void cs_undo_changes(cs_ui *ui, double changes);
/* After a command that cannot be undone: what leads back from that. */
void cs_undo_instead(cs_ui *ui, const char *what);

/* Undoes what was done last; does again what was undone last. Returns the command
 * that is the session's part of it, NULL: it has none. */
const char *cs_undo_back(cs_ui *ui);
const char *cs_undo_again(cs_ui *ui);
