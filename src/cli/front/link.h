/* The screen's connection to its session and to the command line editor. */
#pragma once

#include "screen/app.h"
#include "session/client/client.h"

cs_app_link cs_link_to(cs_client *c);

/* The editor that console/line.h uses. */
extern const cs_editor cs_link_editor;
