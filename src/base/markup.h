/* Tables and headings in Markdown, LaTeX and HTML: for papers, notes and web
 * pages. Text is escaped, so that no character of a name is read as markup. */
#pragma once

#include "base/page.h"

typedef struct cs_markup cs_markup; /* one of three constants */

#define CS_MARKUP_NAMES "markdown, latex or html"

/* Returns NULL for an unknown name. */
const cs_markup *cs_markup_find(const char *name);

/* Write escaped text: without markup, as a heading, or as a paragraph. */
void cs_markup_text(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_heading(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_paragraph(const cs_markup *m, const char *text, cs_page *p);

/* Writes escaped text in which names in backquotes are marked as code. */
void cs_markup_prose(const cs_markup *m, const char *text, cs_page *p);

/* Starts an HTML page, which the caller ends by "</body></html>". Wide pictures
 * are scaled to the page. */
void cs_markup_page(cs_page *p, const char *title);

/* Writes lines verbatim, for example the lines of a program or a journal. */
void cs_markup_code(const cs_markup *m, const char *text, cs_page *p);

/* These functions write a table: first its head, then the rows, then the end.
 * The head contains the alignment of each column (right for numbers, left for
 * words); each row has one cell per column. To store the cells first, use
 * base/cells.h. */
void cs_markup_table(const cs_markup *m, const char *const *head,
                     const bool *right, size_t n, cs_page *p);
void cs_markup_row(const cs_markup *m, const char *const *cell, size_t n,
                   cs_page *p);
void cs_markup_end(const cs_markup *m, cs_page *p);
