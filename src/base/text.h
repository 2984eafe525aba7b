/* Strings: nearest names, and the one way by which foreign text (names,
 * paths, error messages, whatever a script says) reaches a terminal. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Edit distance (insert, delete, replace, swap of neighbours), in bytes;
 * names beyond 63 bytes are compared by their first 63. */
unsigned cs_text_distance(const char *a, const char *b);

/* The entry of the NULL-terminated list that is nearest to `name`, NULL when
 * none is near (more than half of the name would have to change). */
const char *cs_text_nearest(const char *name, const char *const *list);

/* `other` if it is near, and nearer to `name` than `best` (NULL: none yet) is;
 * else `best`. */
const char *cs_text_nearer(const char *name, const char *best,
                           const char *other);

/* Copies `text` into out[size] with everything that could steer a terminal
 * shown as \xNN: C0 and C1 controls, DEL, invalid UTF-8, bidirectional
 * controls, zero-width joiners. Newline and tab become a blank. Never cuts
 * a character in two; always terminated. Returns the bytes written. */
size_t cs_text_clean(const char *text, char *out, size_t size);

/* Copies `text`, which cs_text_clean has made, into out[size]; where it is longer
 * its middle is left out, "begin..end": ends of long names tell them apart. Never
 * cuts a character in two. size >= 8. */
void cs_text_shorten(const char *text, char *out, size_t size);

/* Writes text[n] likewise; line breaks and tabs stay. */
void cs_text_write(const char *text, size_t n, FILE *to);

/* Decodes one UTF-8 character of s[n] into *code; returns its length in
 * bytes, or 0 if the bytes are not valid UTF-8 (or n is 0). */
size_t cs_utf8_decode(const char *s, size_t n, unsigned *code);

/* Encodes `code` into out[4]; returns the number of bytes. */
size_t cs_utf8_encode(unsigned code, char *out);
