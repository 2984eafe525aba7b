/* Panels of the open scenario's own: what the snapshot says of them, as types
 * beside the built-in ones. */
#pragma once

#include "screen/panels/panel.h"
#include "session/host.h"

typedef struct cs_own_panel {
    cs_panel_type type; /* its texts are those below */
    char name[32], title[96], help[400];
} cs_own_panel;

typedef struct cs_own_list {
    cs_own_panel row[CS_OPENED_OWN];
    size_t n;
} cs_own_list;

/* Reads them anew. Pointers to types stay as long as the names do. */
void cs_own_read(cs_own_list *list, const cs_shot *s);

/* That of the name, NULL: there is none. */
const cs_panel_type *cs_own_find(const cs_own_list *list, const char *name);

/* Whether the panel is one of them, and takes that key. */
bool cs_own_takes(const cs_own_list *list, const cs_shot *s, const char *panel,
                  unsigned key);

/* Draws the one that `at->panel` names. (own_panel.c) */
void cs_own_draw(const cs_area *a, const cs_shot *s, const cs_selection *at);
