/* Draws of other programs in a comparison: files are converted to a folder with
 * a summary, as a run writes it. */
#pragma once

#include "cli/line/subcommand.h"
#include "io/formats/gather_files.h"

/* Reads the words path[2], [NAME=]FILE[,FILE...]: several files are the chains of
 * one arm. For each word that has draws but no summary, makes a temporary folder
 * out[i] and sets path[i] to it; otherwise path[i] is the FILE. name[i] becomes
 * NAME, if there is one. If the other run
 * has a single arm, the draws get its name, so that the two are compared. Call
 * cs_gathered_free for both afterwards, also after a failure. */
cs_status cs_diff_gather(const cs_args *args, cs_gathered out[2],
                         const char *path[2], const char *name[2],
                         cs_error *err);
