/* Tables and headings in Markdown, LaTeX and HTML: what is written for papers,
 * notes and pages. Text is escaped, so that no character of a name is markup.
 */
#pragma once

#include "base/page.h"

typedef struct cs_markup cs_markup; /* one of the three, constant */

#define CS_MARKUP_NAMES "markdown, latex or html"

/* NULL: there is none of that name. */
const cs_markup *cs_markup_find(const char *name);

/* Escaped alone; as a heading; as a paragraph. */
void cs_markup_text(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_heading(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_paragraph(const cs_markup *m, const char *text, cs_page *p);

/* Begins a page of HTML, to be ended by "</body></html>"; wide pictures fit it. */
void cs_markup_page(cs_page *p, const char *title);

/* Lines as they stand: a program, a journal. */
void cs_markup_code(const cs_markup *m, const char *text, cs_page *p);

/* A table: its head, of which the first `words` columns are of text and the
 * others of numbers; then rows of as many cells; then its end. */
void cs_markup_table(const cs_markup *m, const char *const *head, size_t n,
                     size_t words, cs_page *p);
void cs_markup_row(const cs_markup *m, const char *const *cell, size_t n,
                   cs_page *p);
void cs_markup_end(const cs_markup *m, cs_page *p);
