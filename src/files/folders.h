/* Where the program keeps what it remembers of a user: the one place that
 * knows of XDG. (What it brings along: base/home.h.) */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* $XDG_STATE_HOME/chainscope/NAME, else ~/.local/state/chainscope/NAME, into
 * path[size]; makes the folder, for its owner only. False when there is no
 * home. */
bool cs_folder_state(const char *name, char *path, size_t size);

/* $XDG_CACHE_HOME/chainscope/NAME, else ~/.cache/chainscope/NAME: what can be
 * found out again. As above. */
bool cs_folder_cache(const char *name, char *path, size_t size);

/* $XDG_DATA_HOME/chainscope/NAME, else ~/.local/share/chainscope/NAME, into
 * path[size]; nothing is made. False when there is no home. */
bool cs_folder_data(const char *name, char *path, size_t size);

/* $XDG_CONFIG_HOME/chainscope/NAME, else ~/.config/chainscope/NAME, into
 * path[size]; nothing is made. False when there is no home. */
bool cs_folder_config(const char *name, char *path, size_t size);
