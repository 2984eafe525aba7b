/* The user's preferences for every run (session/client/preference_keys.h). Only
 * the preferences that the frame uses are handled here. Preferences that are
 * not set keep their defaults. */
#pragma once

#include "screen/state/ui.h"
#include "session/client/preference_keys.h"

/* Applies the preferences. `preferences` [borrowed while ui is used]. */
void cs_ui_preference(cs_ui *ui, const cs_shot *preferences);

/* Return the name and the value of entry i in the list CS_PREFERENCE_KEYS or
 * CS_PREFERENCE_LAYOUTS; "" past the last. */
const char *cs_preference_name(const cs_shot *preferences, const char *list,
                               size_t i);
const char *cs_preference_value(const cs_shot *preferences, const char *list,
                                size_t i);

/* Finds the panels of the layout with this name and writes them to
 * out[size]. Searches the configuration, then the saved layouts, then the
 * built-in layouts. Returns false if the name is unknown. */
bool cs_layout_named(const cs_ui *ui, const cs_shot *s, const char *name,
                     char *out, size_t size);
/* Finds the name of layout number i among all layouts. After the last layout,
 * returns false. */
bool cs_layout_name(const cs_ui *ui, size_t i, char *out, size_t size);
/* Writes the visible panels as words (screen/panels/panel.h). */
void cs_layout_words(const cs_ui *ui, char *out, size_t size);

/* Saves the visible panels as a layout in a file of the state folder; replaces
 * a layout of the same name. */
cs_status cs_layout_save(const cs_ui *ui, const char *name, cs_error *err);
