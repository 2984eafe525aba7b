/* What panels show, told in sentences: for who has no grid of cells to look at. */
#pragma once

#include "base/page.h"
#include "screen/panels/panel.h"

typedef struct cs_teller {
    const char *name; /* of the panel, where it is one */
    const char *help;
    void (*tell)(const cs_shot *s, cs_page *p);
} cs_teller;

/* Teller number i, NULL past the last. */
const cs_teller *cs_teller_at(size_t i);
const cs_teller *cs_teller_find(const char *name);
