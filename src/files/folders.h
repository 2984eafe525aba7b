/* The user's folders for state, cache, data and configuration (XDG). Installed
 * files: base/install_paths.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes $XDG_STATE_HOME/chainscope/NAME, else ~/.local/state/chainscope/NAME,
 * to path[size]; creates the folder for its owner only. Returns false without a
 * home folder. */
bool cs_folder_state(const char *name, char *path, size_t size);

/* Does the same with $XDG_CACHE_HOME/chainscope/NAME, else
 * ~/.cache/chainscope/NAME, for data that can be computed again. */
bool cs_folder_cache(const char *name, char *path, size_t size);

/* Writes $XDG_DATA_HOME/chainscope/NAME, else ~/.local/share/chainscope/NAME,
 * to path[size]; creates nothing. Returns false without a home folder. */
bool cs_folder_data(const char *name, char *path, size_t size);

/* Writes $XDG_CONFIG_HOME/chainscope/NAME, else ~/.config/chainscope/NAME, to
 * path[size]; creates nothing. Returns false without a home folder. */
bool cs_folder_config(const char *name, char *path, size_t size);
