/* The scenarios of a folder and what they say of themselves. */
#pragma once

#include "base/flat.h"
#include "base/status.h"

/* Texts "i/file" "i/title" "i/shows" "i/source" "i/tags" "i/folder" "i/names"
 * "i/laws" "i/error"
 * of the .lua files in the folders beneath `root`, by folder and name: of those
 * from number `from` on, `count` at most. They are read from the files' texts;
 * a file that does not write them out (script/headline.h) is run, with little
 * memory and time. "i/laws": "hold", or which is broken (io/checked.h). `how`: see session/host.h. */
cs_status cs_script_gallery(const char *root, size_t from, size_t count,
                            unsigned how, cs_flat *out, cs_error *err);
