/* A Lua prompt on a terminal that readline owns. The caller polls stdin and
 * forwards signals. One per process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Calls offer(to, text) for every completion of the last word of `line`; text
 * replaces that word. */
typedef void cs_prompt_offer(void *to, const char *text);
typedef void cs_prompt_complete(void *self, const char *line,
                                cs_prompt_offer *offer, void *to);

/* Opens the prompt. `history`: a file name in the state folder. Words end at
 * blanks in a line that starts with a colon, elsewhere at characters that
 * cannot be in a Lua name. */
void cs_prompt_open(const char *history, cs_prompt_complete *complete,
                    void *self);

/* Shows `prompt` [copied] and takes over the terminal until cs_prompt_end,
 * which restores it. */
void cs_prompt_begin(const char *prompt);
void cs_prompt_end(void);

/* Reads pending input; returns true when the line is finished: *line is [own:
 * free], NULL at the end of input. The terminal is then restored. */
bool cs_prompt_read(char **line);

/* Discard the line after Ctrl-C; adapt to a new size; restore the terminal
 * before the program is stopped, and take it over afterwards. */
void cs_prompt_clear(void);
void cs_prompt_resize(void);
void cs_prompt_suspend(void);
void cs_prompt_resume(void);

/* Saves the history. */
void cs_prompt_close(void);
