/* Functions for similar names, and the only functions through which foreign
 * text (names, paths, error messages, output of scripts) reaches a terminal. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Returns the edit distance (insert, delete, replace, swap of neighbours) in
 * bytes; only the first 63 bytes of longer names are compared. */
unsigned cs_text_distance(const char *a, const char *b);

/* Returns the entry of the NULL-terminated list that is nearest to `name`.
 * Returns NULL if every entry differs from `name` in more than half of the
 * bytes of `name`. */
const char *cs_text_nearest(const char *name, const char *const *list);

/* Returns `other` if it is near to `name` and nearer than `best` (NULL: no name
 * yet); otherwise returns `best`. */
const char *cs_text_nearer(const char *name, const char *best,
                           const char *other);

/* Copies `text` into out[size]. Characters that could control a terminal are
 * written as \xNN: C0 and C1 controls, DEL, invalid UTF-8, bidirectional
 * controls, zero-width joiners. Newline and tab become a blank. Never splits a
 * character; always terminated. Returns the number of bytes written. */
size_t cs_text_clean(const char *text, char *out, size_t size);

/* Copies `text`, the output of cs_text_clean, into out[size]. If the text is
 * too long, its middle is left out ("begin..end"), because long names often
 * differ only at their ends. Never splits a character. size >= 8. */
void cs_text_shorten(const char *text, char *out, size_t size);

/* Writes text[n] to the stream `to`. Cleans the text in the same way as
 * cs_text_clean, but keeps line breaks and tabs. */
void cs_text_write(const char *text, size_t n, FILE *to);

/* Decodes the UTF-8 character at the start of s[n] into *code. Returns the
 * length of the character in bytes, or 0 if the bytes are not valid UTF-8 or n
 * is 0. */
size_t cs_utf8_decode(const char *s, size_t n, unsigned *code);

/* Return widths on a terminal in columns. The width of a character is 0, 1 or 2
 * in any locale. The width of a string is the width after cs_text_clean. */
int cs_utf8_width(unsigned code);
int cs_text_width(const char *text);

/* Encodes `code` into out[4]; returns the number of bytes. */
size_t cs_utf8_encode(unsigned code, char *out);
