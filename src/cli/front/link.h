/* The screen's connection to its session, and the command line editor. */
#pragma once

#include "screen/app.h"
#include "session/client/client.h"

cs_app_link cs_link_to(cs_client *c);

/* The editor of console/line.h. */
extern const cs_editor cs_link_editor;
