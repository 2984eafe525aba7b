/* Processes that are known by their environment. Who starts a program marks it; the
 * mark is inherited by all that the program starts, wherever that goes: into a
 * group or session of its own, or to another parent once its own has ended. */
#pragma once

enum { CS_MARK = 64 };

/* This process's environment, and a mark that no other process has, which is
 * written to mark[CS_MARK]. NULL: no memory. [own: cs_free; the texts are borrowed] */
char **cs_marked_environment(char mark[CS_MARK]);

/* Kills every process that has the mark, until there is none. Linux alone tells the
 * environment of a process, and only that with which it began: one that has started
 * a program with another environment (env -i) is not found. */
void cs_marked_kill(const char *mark);
