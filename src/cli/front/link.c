#include "cli/front/link.h"

#include "cli/front/front.h"
#include "console/line.h"

static bool send(void *self, const char *line, uint32_t id)
{
    return cs_client_send(self, line, id, NULL) == CS_OK;
}

static bool snapshot(void *self, const unsigned char **base, size_t *used)
{
    return cs_client_snapshot(self, base, used);
}

static bool answer(void *self, cs_answer *out)
{
    const cs_message *m = cs_client_reply(self);
    if (!m)
        return false;
    bool table = m->table && m->status == CS_OK;
    *out = (cs_answer){.id = m->id,
                       .status = (cs_status)m->status,
                       .part = m->part != 0,
                       .text = table ? NULL : (const char *)m->body,
                       .table = table ? m->body : NULL,
                       .used = m->size};
    return true;
}

static int fds(void *self, int fd[CS_LINK_FDS])
{
    int two[2];
    cs_client_fds(self, two);
    fd[0] = two[0];
    fd[1] = two[1];
    return two[1] >= 0 ? 2 : 1;
}

static void calm(void *self)
{
    cs_client_calm(self);
}

static bool alive(void *self, char *why, size_t size)
{
    return cs_client_alive(self, why, size);
}

static void interrupt(void *self)
{
    cs_client_interrupt(self);
}

static cs_status another(void *self, cs_client **out, cs_error *err)
{
    return cs_front_create_beside(out, self, err);
}

cs_app_link cs_link_to(cs_client *c)
{
    return (cs_app_link){.self = c,
                         .send = send,
                         .snapshot = snapshot,
                         .answer = answer,
                         .fds = fds,
                         .calm = calm,
                         .alive = alive,
                         .interrupt = interrupt,
                         .another = another};
}

const cs_editor cs_link_editor = {.begin = cs_line_begin,
                                  .key = cs_line_key,
                                  .show = cs_line_show,
                                  .before = cs_line_before,
                                  .replace = cs_line_replace};
