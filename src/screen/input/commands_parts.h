/* Internal to the screen's commands: the functions of the table in commands.c.
 * Each receives the words after the command's name. */
#pragma once

#include "screen/input/commands.h"

/* The type of a command's function: see cs_ui_command_row. */
typedef void cs_typed_act(cs_ui *ui, const cs_shot *s, const char *rest);

/* Reports the result of a command: the message `said`, or the error. */
void cs_typed_say(cs_ui *ui, cs_status status, const cs_error *err,
                  const char *said);

/* ---- panels and their presentation (commands_panels.c) ---- */

cs_typed_act cs_typed_panel, cs_typed_zoom, cs_typed_layout, cs_typed_big,
    cs_typed_glyphs, cs_typed_unit;
/* Return words that may follow: see cs_ui_command_row. */
const char *cs_typed_panel_word(const cs_ui *ui, size_t i,
                                char buffer[CS_WORD]);
const char *cs_typed_layout_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD]);
const char *cs_typed_glyph_word(const cs_ui *ui, size_t i,
                                char buffer[CS_WORD]);
const char *cs_typed_unit_word(const cs_ui *ui, size_t i, char buffer[CS_WORD]);

/* ---- settings of the screen (commands_settings.c) ---------------------- */

cs_typed_act cs_typed_theme, cs_typed_mouse, cs_typed_laws, cs_typed_frames,
    cs_typed_bandwidth, cs_typed_motion, cs_typed_keyboard, cs_typed_graphics;
/* Return words that may follow: see cs_ui_command_row. */
const char *cs_typed_theme_word(const cs_ui *ui, size_t i,
                                char buffer[CS_WORD]);
const char *cs_typed_switch_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD]);
const char *cs_typed_graphics_word(const cs_ui *ui, size_t i,
                                   char buffer[CS_WORD]);
const char *cs_typed_motion_word(const cs_ui *ui, size_t i,
                                 char buffer[CS_WORD]);
const char *cs_typed_keyboard_word(const cs_ui *ui, size_t i,
                                   char buffer[CS_WORD]);

/* ---- files (commands_files.c) ---- */

cs_typed_act cs_typed_screenshot, cs_typed_record, cs_typed_mark, cs_typed_edit;

/* ---- background runs (commands_background.c) ----------- */

cs_typed_act cs_typed_replicate, cs_typed_sweep, cs_typed_calibrate;
