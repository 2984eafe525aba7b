/* Command lines that the screen obeys itself: what is shown and how. All
 * others go to the session. */
#pragma once

#include "screen/input/keys.h"

typedef struct cs_ui_command_row {
    const char *name, *args, *help;
    void (*act)(cs_ui *ui, const cs_shot *s, const char *rest);
    /* OPTIONAL. Word number i that may follow, be it in `room`; NULL past the
     * last. */
    const char *(*word)(const cs_ui *ui, size_t i, char room[CS_WORD]);
} cs_ui_command_row;

const cs_ui_command_row *cs_ui_command_at(size_t i);

/* The row of that name, NULL: the session's, or none. */
const cs_ui_command_row *cs_ui_command_find(const char *name);

/* Obeys the line; false when it is not the screen's. */
bool cs_ui_command(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                   const char *line);

/* Number i of what could stand at the end of `before`, be it in `room`; NULL past
 * the last. */
const char *cs_ui_offer(const cs_ui *ui, const char *before, size_t i,
                        char room[CS_WORD]);
