/* Lines from a terminal that readline owns: a Lua prompt. The caller polls
 * stdin and hands over what signals say. One in a process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Calls offer(to, text) for every word that `line` could end in; text takes
 * the place of the last word. */
typedef void cs_prompt_offer(void *to, const char *text);
typedef void cs_prompt_complete(void *self, const char *line,
                                cs_prompt_offer *offer, void *to);

/* `history`: a name in the state folder. In a line that begins with a colon
 * words end at blanks, elsewhere at whatever is no part of a Lua name. */
void cs_prompt_open(const char *history, cs_prompt_complete *complete,
                    void *self);

/* Shows `prompt` [copied] and takes the terminal; cs_prompt_end gives it back,
 * whatever was typed. */
void cs_prompt_begin(const char *prompt);
void cs_prompt_end(void);

/* Reads what waits on stdin; true when the line is finished: *line is [own:
 * free], NULL at the end of input. The terminal is given back then. */
bool cs_prompt_read(char **line);

/* After Ctrl-C: what was typed is given up. After a change of size. Before
 * the program is stopped, and after it goes on. */
void cs_prompt_clear(void);
void cs_prompt_resize(void);
void cs_prompt_suspend(void);
void cs_prompt_resume(void);

/* Keeps the history. */
void cs_prompt_close(void);
