/* Inside of the screen's commands: what they do, for the table of commands.c. Each
 * is given what stands behind its name. */
#pragma once

#include "screen/input/commands.h"

/* What a command does: see cs_ui_command_row. */
typedef void cs_typed_act(cs_ui *ui, const cs_shot *s, const char *rest);

/* Says how a command went: `said` of it, or the error. */
void cs_typed_say(cs_ui *ui, cs_status status, const cs_error *err,
                  const char *said);

/* ---- panels and how they show (commands_panels.c) ---- */

cs_typed_act cs_typed_panel, cs_typed_zoom, cs_typed_layout, cs_typed_glyphs,
    cs_typed_unit;
/* Words that may follow: see cs_ui_command_row. */
const char *cs_typed_panel_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_layout_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_glyph_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_unit_word(const cs_ui *ui, size_t i, char room[CS_WORD]);

/* ---- how the screen looks, paints and listens (commands_settings.c) ---- */

cs_typed_act cs_typed_theme, cs_typed_mouse, cs_typed_laws, cs_typed_frames,
    cs_typed_bandwidth, cs_typed_motion, cs_typed_keyboard;
/* Words that may follow: see cs_ui_command_row. */
const char *cs_typed_theme_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_switch_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_motion_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_keyboard_word(const cs_ui *ui, size_t i,
                                   char room[CS_WORD]);

/* ---- files (commands_files.c) ---- */

cs_typed_act cs_typed_keep, cs_typed_record, cs_typed_edit;

/* ---- runs in the background (commands_background.c) ---- */

cs_typed_act cs_typed_replicate, cs_typed_sweep, cs_typed_calibrate;
