/* The quantity that a panel shows, the energy or a coordinate, and what the
 * session reports of it (run/quantities.h). */
#pragma once

#include "screen/panels/panel.h"

/* Its name, of cs_selection: what the panel was told, else the coordinate that
 * is looked at, and those after it by `option`, the energy among them. */
void cs_quantity_name(const cs_shot *s, const cs_selection *at, char *name,
                      size_t size);

/* Names of at most `most` coordinates, between commas: those that the panel was
 * told, and those after the one that is looked at. Returns how many. */
size_t cs_quantity_names(const cs_shot *s, const cs_selection *at, size_t most,
                         char *names, size_t size);

/* The word of the command `reports` of one quantity: "ranks=x.3". */
void cs_quantity_ask(const char *kind, const cs_shot *s, const cs_selection *at,
                     char *word, size_t size);

/* The number of the report on `word` of an arm, whose keys begin with
 * "arm/i/draws/NUMBER/"; SIZE_MAX, and why is drawn: there is none. */
size_t cs_quantity_find(const cs_area *a, const cs_shot *s, size_t arm,
                        const char *word);
enum { CS_QUANTITY_NONE = 1 << 20 };
/* The same, quietly. */
size_t cs_quantity_there(const cs_shot *s, size_t arm, const char *word);

/* "energy = -log p (nats)", or a coordinate's own name. */
const char *cs_quantity_axis(const cs_shot *s, size_t arm, const char *name);

/* "1,024 draws of each chain, one in 8 steps" in what room there is. */
int cs_quantity_count(const cs_area *a, int x, int y, const cs_shot *s,
                      size_t arm);

/* The number, from 0, of the chain that is row k of a report. */
size_t cs_quantity_chain(const cs_shot *s, size_t arm, size_t k);
