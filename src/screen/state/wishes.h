/* What the user has chosen for every run (session/wishes.h), as the frame has
 * it. What is not there keeps its default. */
#pragma once

#include "screen/state/ui.h"
#include "session/wishes.h"

/* Takes what is the frame's. `wishes` [borrowed for as long as ui is used]. */
void cs_ui_wish(cs_ui *ui, const cs_shot *wishes);

/* Pair number i of CS_WISH_KEYS or CS_WISH_LAYOUTS; "" past the last. */
const char *cs_wish_name(const cs_shot *wishes, const char *list, size_t i);
const char *cs_wish_value(const cs_shot *wishes, const char *list, size_t i);

/* The panels of a layout by its name: of the configuration, else one that was
 * saved, else the program's own, into out[size]; false: there is none. */
bool cs_layout_named(const cs_ui *ui, const cs_shot *s, const char *name,
                     char *out, size_t size);
/* The name of layout number i, of all of them; false: past the last. */
bool cs_layout_name(const cs_ui *ui, size_t i, char *out, size_t size);
/* The panels that are shown, as words (screen/panels/panel.h). */
void cs_layout_words(const cs_ui *ui, char *out, size_t size);

/* Saves the panels that are shown as a layout, in a file of the state folder,
 * in the place of one of that name. */
cs_status cs_layout_save(const cs_ui *ui, const char *name, cs_error *err);
