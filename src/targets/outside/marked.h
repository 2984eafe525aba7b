/* Processes that are identified by their environment. A program gets a mark
 * when it is started. All processes that it starts inherit the mark, even if
 * they move to another process group or session, or if another process becomes
 * their parent. */
#pragma once

enum { CS_MARK = 64 };

/* Returns the environment of this process plus a unique mark, which is written
 * to mark[CS_MARK]. NULL: out of memory. [own: cs_free; the strings are
 * borrowed] */
char **cs_marked_environment(char mark[CS_MARK]);

/* Kills all processes that have the mark; repeats the search until no such
 * process is found. This works only on Linux, which shows the initial
 * environment of each process. A program that was started with another
 * environment (env -i) is not found. */
void cs_marked_kill(const char *mark);
