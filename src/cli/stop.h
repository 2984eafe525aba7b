/* Ctrl-C, SIGTERM and a hang-up as something to look at, so that whoever
 * waits can end in good order. */
#ifndef CS_CLI_STOP_H
#define CS_CLI_STOP_H

/* From now on these signals only count; waits end with EINTR. */
void cs_stop_listen(void);
/* They are another process's to answer. */
void cs_stop_ignore(void);

/* The first of them, 0 while none came; how many came. */
int cs_stop_signal(void);
unsigned cs_stop_count(void);

#endif
