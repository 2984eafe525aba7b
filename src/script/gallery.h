/* The scenarios of a folder and what they say of themselves. */
#ifndef CS_SCRIPT_GALLERY_H
#define CS_SCRIPT_GALLERY_H

#include "base/flat.h"
#include "base/status.h"

/* Texts "i/file" "i/title" "i/shows" "i/source" "i/folder" "i/error", and the
 * number "i/papers" of claims with what a paper printed, of the .lua files in
 * the folders beneath `root`, by folder and name: of those from number `from`
 * on, `count` at most. Each is run with little memory and time. */
cs_status cs_script_gallery(const char *root, size_t from, size_t count,
                            cs_flat *out, cs_error *err);

#endif
