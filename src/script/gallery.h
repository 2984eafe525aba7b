/* The scenarios of a folder and what they say of themselves. */
#ifndef CS_SCRIPT_GALLERY_H
#define CS_SCRIPT_GALLERY_H

#include "base/flat.h"
#include "base/status.h"

/* Texts "i/file" "i/title" "i/shows" "i/source" "i/folder" "i/error", and the
 * number "i/papers" of claims with what a paper printed, of all .lua files in the folders beneath `root`, by folder and name. Each is run
 * in a state of its own with little memory and time. */
cs_status cs_script_gallery(const char *root, cs_flat *out, cs_error *err);

#endif
