/* The user's folders for state, cache, data and configuration (XDG). The paths
 * of installed files are in base/install_paths.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Writes $XDG_STATE_HOME/chainscope/NAME, or by default
 * ~/.local/state/chainscope/NAME, to path[size]. Creates the folder, accessible
 * only to its owner. Returns false if there is no home folder. */
bool cs_folder_state(const char *name, char *path, size_t size);

/* Writes $XDG_CACHE_HOME/chainscope/NAME, or by default
 * ~/.cache/chainscope/NAME, to path[size]. This folder is for data that can be
 * computed again. Creates the folder like cs_folder_state. */
bool cs_folder_cache(const char *name, char *path, size_t size);

/* Writes $XDG_DATA_HOME/chainscope/NAME, or by default
 * ~/.local/share/chainscope/NAME, to path[size]. Creates no folder. Returns
 * false if there is no home folder. */
bool cs_folder_data(const char *name, char *path, size_t size);

/* Writes $XDG_CONFIG_HOME/chainscope/NAME, or by default
 * ~/.config/chainscope/NAME, to path[size]. Creates no folder. Returns false if
 * there is no home folder. */
bool cs_folder_config(const char *name, char *path, size_t size);
