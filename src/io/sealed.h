/* Sealed texts: the solutions of an exercise and the known wrong hand-ins, so
 * that a search for words does not find them. The text of the exercise is the
 * key, so every reader of the exercise can open them. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Seals or opens text[size] in place: each byte is combined (exclusive or) with
 * a byte of the digests of key[n] and a counter. */
void cs_sealed_apply(const void *key, size_t n, unsigned char *text,
                     size_t size);

/* Finds the sealed file of the exercise `path`, "NAME.lua": NAME.sol in the same
 * folder, or in the folder `exercises` next to the program, where a build stores
 * it. Returns false without such a file. */
bool cs_sealed_find(const char *path, char *out, size_t size);

/* Reads and opens the sealed file of the exercise `path`, whose text is key[n].
 * *text is [own, cs_free], or NULL if the exercise has no sealed file. */
cs_status cs_sealed_read(const char *path, const void *key, size_t n,
                         char **text, cs_error *err);
