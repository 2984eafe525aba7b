/* Inside of the screen's commands: what they do, for the table of commands.c. Each
 * is given what stands behind its name. */
#pragma once

#include "screen/input/commands.h"

/* Says how a command went: `said` of it, or the error. */
void cs_typed_say(cs_ui *ui, cs_status status, const cs_error *err,
                  const char *said);

/* ---- panels and how they show (commands_panels.c) ---- */

void cs_typed_panel(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_zoom(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_layout(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_glyphs(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_unit(cs_ui *ui, const cs_shot *s, const char *rest);
/* Words that may follow: see cs_ui_command_row. */
const char *cs_typed_panel_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_layout_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_glyph_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_unit_word(const cs_ui *ui, size_t i, char room[CS_WORD]);

/* ---- how the screen looks, paints and listens (commands_settings.c) ---- */

void cs_typed_theme(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_mouse(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_laws(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_frames(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_bandwidth(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_motion(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_keyboard(cs_ui *ui, const cs_shot *s, const char *rest);
/* Words that may follow: see cs_ui_command_row. */
const char *cs_typed_theme_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_switch_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_motion_word(const cs_ui *ui, size_t i, char room[CS_WORD]);
const char *cs_typed_keyboard_word(const cs_ui *ui, size_t i,
                                   char room[CS_WORD]);

/* ---- files (commands_files.c) ---- */

void cs_typed_keep(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_record(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_edit(cs_ui *ui, const cs_shot *s, const char *rest);

/* ---- runs in the background (commands_background.c) ---- */

void cs_typed_replicate(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_sweep(cs_ui *ui, const cs_shot *s, const char *rest);
void cs_typed_calibrate(cs_ui *ui, const cs_shot *s, const char *rest);
