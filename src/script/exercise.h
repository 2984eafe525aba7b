/* Exercises: loads an exercise and a hand-in, and calls the module
 * (lua/chainscope/exercise.lua). */
#pragma once

#include "script/state/state.h"

/* Obeys "WHAT PATH [NAME=VALUE ...]" in word[n]: prints the answer of the module
 * for the exercise in the scenario PATH. The value of `mine` is the path of a
 * hand-in, which is loaded after the exercise, in an environment of its own, and
 * may read no file. An error in the hand-in is a part of the answer; an error in
 * the exercise, or a limit that the hand-in exceeds, is the result. The value of
 * `judges` is a folder, in which the hidden judge of the exercise is found; it
 * precedes `mine`. n >= 2. */
cs_status cs_script_exercise(cs_script *s, char *const *word, size_t n,
                             cs_script_print *print, void *to, cs_error *err);
