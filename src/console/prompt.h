/* A Lua prompt on the terminal, edited by readline. The caller polls stdin and
 * forwards signals. A process can have only one prompt. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A callback that receives a completion `text` of the last word of a line. A
 * completer calls offer(to, text) for every completion; text replaces the
 * word. */
typedef void cs_prompt_offer(void *to, const char *text);
typedef void cs_prompt_complete(void *self, const char *line,
                                cs_prompt_offer *offer, void *to);

/* Opens the prompt. `history` is a file name in the state folder. In a line
 * that starts with a colon, blanks separate words. In other lines, all
 * characters that cannot be part of a Lua name separate words. */
void cs_prompt_open(const char *history, cs_prompt_complete *complete,
                    void *self);

/* Shows `prompt` [copied], and changes the mode of the terminal. cs_prompt_end
 * restores the mode. */
void cs_prompt_begin(const char *prompt);
void cs_prompt_end(void);

/* Reads pending input; returns true when the line is finished and the terminal
 * is restored. *line is [own: free], or NULL at the end of input. */
bool cs_prompt_read(char **line);

/* cs_prompt_clear discards the line after Ctrl-C. cs_prompt_resize adapts the
 * prompt to a new terminal size. cs_prompt_suspend restores the terminal before
 * the program is suspended, and cs_prompt_resume sets it up again. */
void cs_prompt_clear(void);
void cs_prompt_resize(void);
void cs_prompt_suspend(void);
void cs_prompt_resume(void);

/* Saves the history. */
void cs_prompt_close(void);
