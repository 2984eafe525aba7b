/* The quantity that a panel shows, the energy or a coordinate, and the
 * session's report about it (run/draws/quantities.h). */
#pragma once

#include "screen/panels/panel.h"

/* Returns true if a coordinate has this name, and its index, from 0, in
 * *coordinate. */
bool cs_quantity_is(const cs_shot *s, const char *name, size_t *coordinate);

/* Writes the name of a selection's quantity. This is the quantity for which
 * the panel was opened, otherwise the chosen coordinate; `option` advances
 * from there through the following quantities, including the energy. */
void cs_quantity_name(const cs_shot *s, const cs_selection *at, char *name,
                      size_t size);

/* Writes the comma-separated names of at most `most` coordinates. The
 * coordinates for which the panel was opened come first, then the coordinates
 * after the chosen one. Returns the number of names. */
size_t cs_quantity_names(const cs_shot *s, const cs_selection *at, size_t most,
                         char *names, size_t size);

/* Writes the panel's word for the command `reports`, with its quantity:
 * "ranks=x.3". */
void cs_quantity_ask(const cs_shot *s, const cs_selection *at, char *word,
                     size_t size);

/* Returns the index of an arm's report on `word`, whose keys start with
 * "arm/i/draws/INDEX/". If there is no report, draws the reason and returns
 * CS_QUANTITY_NONE. */
size_t cs_quantity_find(const cs_area *a, const cs_shot *s, size_t arm,
                        const char *word);
enum { CS_QUANTITY_NONE = 1 << 20 };
/* Returns the same index as cs_quantity_find, but draws no reason. */
size_t cs_quantity_there(const cs_shot *s, size_t arm, const char *word);

/* Returns "energy = -log p (nats)", or a coordinate's name. */
const char *cs_quantity_axis(const cs_shot *s, size_t arm, const char *name);

/* Displays "1,024 draws of each chain, one in 8 steps", in a shorter form if
 * needed. */
int cs_quantity_count(const cs_area *a, int x, int y, const cs_shot *s,
                      size_t arm);

/* Returns the index, from 0, of the chain in row k of a report. */
size_t cs_quantity_chain(const cs_shot *s, size_t arm, size_t k);
