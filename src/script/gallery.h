/* The scenarios of a folder, with their descriptions. */
#pragma once

#include "base/flat.h"
#include "base/status.h"

/* Describes the .lua files in the folders under `root`, sorted by folder and
 * name. Starts with file number `from`, and describes at most `count` files.
 * For each file writes the strings "i/file" "i/title" "i/shows" "i/source"
 * "i/tags" "i/folder" "i/names" "i/laws" "i/error". These strings are read from
 * the text of the file. A file that does not contain them as literals
 * (script/headline.h) is run with little memory and time. "i/laws" is "hold",
 * or the name of the broken law (io/checked.h). `how`: see
 * session/host/script_host.h. */
cs_status cs_script_gallery(const char *root, size_t from, size_t count,
                            unsigned how, cs_flat *out, cs_error *err);
