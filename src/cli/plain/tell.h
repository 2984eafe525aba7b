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

/* Returns description number i, or NULL past the last. */
const cs_teller *cs_teller_at(size_t i);
const cs_teller *cs_teller_find(const char *name);
