/* Panels that the open scenario defines, read from the snapshot as panel types
 * like the built-in ones. */
#pragma once

#include "screen/panels/panel.h"
#include "session/host/script_host.h"

typedef struct cs_own_panel {
    cs_panel_type type; /* the strings of the type are the arrays below */
    char name[32], title[96], help[400];
} cs_own_panel;

typedef struct cs_own_list {
    cs_own_panel row[CS_OPENED_OWN];
    size_t n;
} cs_own_list;

/* Reads the panels from the snapshot. A pointer to a panel's type remains valid
 * as long as a panel with this name exists. */
void cs_own_read(cs_own_list *list, const cs_shot *s);

/* Returns the panel with this name, or NULL. */
const cs_panel_type *cs_own_find(const cs_own_list *list, const char *name);

/* Returns true if the panel is defined by the scenario and uses this key. */
bool cs_own_takes(const cs_own_list *list, const cs_shot *s, const char *panel,
                  unsigned key);

/* Draws the panel named by `at->panel`. (own_panel.c) */
void cs_own_draw(const cs_area *a, const cs_shot *s, const cs_selection *at);
