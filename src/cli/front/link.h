/* What the screen needs from its session, and the line that is typed. */
#ifndef CS_CLI_FRONT_LINK_H
#define CS_CLI_FRONT_LINK_H

#include "screen/app.h"
#include "session/client/client.h"

cs_app_link cs_link_to(cs_client *c);

/* The editor of console/line.h. */
extern const cs_editor cs_link_editor;

#endif
