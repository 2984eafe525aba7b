/* Tables and headings in Markdown, LaTeX and HTML: for papers, notes and
 * pages. Text is escaped, so that no character of a name is markup. */
#pragma once

#include "base/page.h"

typedef struct cs_markup cs_markup; /* one of the three, constant */

#define CS_MARKUP_NAMES "markdown, latex or html"

/* NULL: unknown name. */
const cs_markup *cs_markup_find(const char *name);

/* Only escaped; as a heading; as a paragraph. */
void cs_markup_text(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_heading(const cs_markup *m, const char *text, cs_page *p);
void cs_markup_paragraph(const cs_markup *m, const char *text, cs_page *p);

/* Begins a page of HTML, to be ended by "</body></html>"; wide pictures fit it. */
void cs_markup_page(cs_page *p, const char *title);

/* Lines as they stand: a program, a journal. */
void cs_markup_code(const cs_markup *m, const char *text, cs_page *p);

/* A table: its head, and the alignment of columns, right (numbers) or left
 * (words); then rows of one cell per column; then its end. For base/cells.h,
 * which has the cells. */
void cs_markup_table(const cs_markup *m, const char *const *head,
                     const bool *right, size_t n, cs_page *p);
void cs_markup_row(const cs_markup *m, const char *const *cell, size_t n,
                   cs_page *p);
void cs_markup_end(const cs_markup *m, cs_page *p);
