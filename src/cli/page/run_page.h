/* The HTML page of a run for a reader, shared by `report` and `watch --serve`:
 * the scenario's statement, sentences about the run, the lesson, a figure per
 * panel in light and dark colours, the tables and claims, and the journal as a
 * section on the method. The page loads nothing from other files or sites, and
 * all text from scenarios and files is escaped. */
#pragma once

#include "base/page.h"
#include "cli/front/follow_run.h"
#include "cli/line/subcommand.h"

/* Writes the start of the page up to <body>, with the style and the title.
 * `more` is HTML that is added to the head; "": none. */
void cs_run_page_head(const char *title, const char *more, cs_page *out);
#define CS_RUN_PAGE_END "</body></html>\n"

/* Writes the command line that writes this page again: `chainscope report` with
 * the arguments and options of a sub-command that has the options of
 * `report`. */
void cs_run_page_command(const cs_args *args, cs_page *out);

/* The same for the page that `watch --serve` shows. */
void cs_run_page_serve_command(const cs_args *args, cs_page *out);

/* Writes the contents of <body>. The run of the session `c` must be paused, and
 * the session must have received the command `pictures`. args->word[0] is the
 * scenario, or the folder of draws; `command` is the command line that writes
 * the page again. *seen receives the snapshot of the page. */
cs_status cs_run_page_body(cs_client *c, const cs_args *args,
                           const char *command, cs_seen *seen, cs_page *out,
                           cs_error *err);

/* Writes a figure for each panel of the scenario that is not text, as
 * cs_run_page_body does. The session must have received the command
 * `pictures`. */
cs_status cs_run_page_figures(cs_client *c, const cs_args *args, cs_page *out,
                              cs_error *err);
