#include "screen/state/background.h"

#include "base/clock.h"
#include "session/client/shell_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINE = CS_WIRE_BYTES, DIFFERENCE = 200 };

static cs_status write_line(cs_background *b, const cs_shot *s, cs_error *err)
{
    const char *sets = cs_shot_text(s, "run/sets");
    memcpy(b->open, "open ", 6);
    bool fits =
        cs_words_quote(cs_shot_text(s, "run/file"), b->open + 5, LINE - 5);
    size_t at = fits ? strlen(b->open) : 0;
    if (!fits || at + strlen(sets) + DIFFERENCE + 2 >= LINE)
        return cs_fail(err, CS_INPUT, "more is set than a run can be given");
    snprintf(b->open + at, LINE - at, " %s", sets);
    return CS_OK;
}

cs_status cs_background_prepare(cs_background *b, const cs_shot *s,
                                const char *verb, cs_error *err)
{
    if (!b->link->another || cs_shot_arms(s) == 0)
        return cs_fail(err, CS_UNSUPPORTED, "nothing is open to %s", verb);
    if (*cs_shot_text(s, "run/watched"))
        return cs_fail(err, CS_UNSUPPORTED,
                       "these draws are read: only their scenario can be %sd",
                       verb);
    if (cs_shot_number(s, 0, "run/differs") != 0)
        return cs_fail(err, CS_UNSUPPORTED,
                       "the recorded scenario is not that of its file: :save "
                       "NAME.lua and open that to %s it",
                       verb);
    cs_status status = write_line(b, s, err);
    b->opened = cs_shot_number(s, 0, "run/opened");
    b->began = cs_clock();
    b->told = -1;
    return status;
}

cs_status cs_background_begin(cs_background *b, const char *difference,
                              const char *go, cs_error *err)
{
    size_t at = strlen(b->open);
    cs_status status = b->link->another(b->link->self, &b->client, err);
    if (status)
        return status;
    snprintf(b->open + at, LINE - at, "%s", difference);
    status = cs_client_send(b->client, "reports", CS_BACKGROUND_QUIET, err);
    if (status == CS_OK)
        status = cs_client_send(b->client, b->open, CS_BACKGROUND_OPENED, err);
    b->open[at] = 0;
    return status ? status
                  : cs_client_send(b->client, go, CS_BACKGROUND_MOVED, err);
}

/* Where pieces of the answer go. */
typedef struct taker {
    cs_background_take *take;
    void *self;
} taker;

static void take_piece(void *self, const cs_message *m)
{
    const taker *to = self;
    if (to->take && m->id == CS_BACKGROUND_ASKED)
        to->take(to->self, m->body, m->size);
}

cs_status cs_background_listen(cs_background *b, cs_background_take *take,
                               void *self, cs_error *err)
{
    taker to = {take, self};
    cs_status status =
        cs_client_listen(b->client, take_piece, &to, &b->answered,
                         take ? CS_BACKGROUND_ASKED : CS_NO_REPLY, err);
    cs_client_snapshot(b->client, &b->shot.base, &b->shot.used);
    return status;
}

bool cs_background_rests(const cs_background *b)
{
    return b->answered >= CS_BACKGROUND_MOVED && b->shot.used &&
           strcmp(cs_shot_text(&b->shot, "run/state"), "running") != 0;
}

void cs_background_end(cs_background *b)
{
    if (b->client) {
        cs_client_close(b->client, 0);
        cs_client_destroy(b->client);
    }
    b->client = NULL;
    b->shot = (cs_shot){0};
    b->answered = CS_BACKGROUND_NOTHING;
    b->asked = false;
}

int cs_background_fds(const cs_background *b, int fd[2])
{
    if (!b->client)
        return 0;
    cs_client_fds(b->client, fd);
    return fd[1] >= 0 ? 2 : 1;
}

bool cs_background_estimate(cs_background *b, double share, double *left)
{
    double spent = cs_clock() - b->began;
    *left = share > 0 ? spent * (1 - share) / share : (double)NAN;
    long told = *left < 1e9 ? (long)ceil(*left) : -1;
    bool news = told != b->told;
    b->told = told;
    return news;
}
