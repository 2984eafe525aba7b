/* Processes identified by their environment. A program is marked when it is
 * started; the mark is inherited by all processes that it starts, even if they
 * move to another process group or session, or are adopted by another
 * parent. */
#pragma once

enum { CS_MARK = 64 };

/* Returns the environment of this process plus a unique mark, which is written
 * to mark[CS_MARK]. NULL: out of memory. [own: cs_free; the strings are
 * borrowed] */
char **cs_marked_environment(char mark[CS_MARK]);

/* Kills all processes that have the mark; repeats the search until none is
 * found. Only Linux shows the environment of a process, and only the initial
 * one: a program started with another environment (env -i) is not found. */
void cs_marked_kill(const char *mark);
