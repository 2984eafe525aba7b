/* Describes panels in sentences, for use without a screen. */
#pragma once

#include "base/page.h"
#include "screen/panels/panel.h"

typedef struct cs_teller {
    /* name of a panel, or of other information, by which a user requests the
     * description */
    const char *name;
    const char *help;
    void (*tell)(const cs_shot *s, cs_page *p);
} cs_teller;

/* Returns the selection of a panel for the displayed arm, chain and
 * coordinate. */
cs_selection cs_tell_look(const cs_shot *s, const cs_panel_type *type);

/* Appends the words and numbers that a panel shows for the displayed arm, line by
 * line, without its picture. Returns false if memory runs out. */
bool cs_tell_panel(const cs_shot *s, const cs_panel_type *type, cs_page *p);

/* Returns description number i, or NULL past the last. */
const cs_teller *cs_teller_at(size_t i);
const cs_teller *cs_teller_find(const char *name);
