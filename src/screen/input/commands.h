/* Command lines that the screen runs itself. All other lines are sent to the
 * session. */
#pragma once

#include "screen/input/keys.h"

typedef struct cs_ui_command_row {
    const char *name, *args, *help;
    void (*act)(cs_ui *ui, const cs_shot *s, const char *rest);
    /* OPTIONAL. Returns word number i that may follow the command, possibly
     * stored in `buffer`. After the last word, returns NULL. */
    const char *(*word)(const cs_ui *ui, size_t i, char buffer[CS_WORD]);
} cs_ui_command_row;

const cs_ui_command_row *cs_ui_command_at(size_t i);

/* Returns the row of a command's name. For commands of the session and for
 * unknown names, returns NULL. */
const cs_ui_command_row *cs_ui_command_find(const char *name);

/* Runs the line. Returns false if the line is not a command of the screen. */
bool cs_ui_command(cs_ui *ui, const cs_shot *s, const cs_sender *to,
                   const char *line);

/* Returns completion number i for the end of the text `before`, possibly stored
 * in `buffer`. After the last completion, returns NULL. */
const char *cs_ui_offer(const cs_ui *ui, const char *before, size_t i,
                        char buffer[CS_WORD]);
