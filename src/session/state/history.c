#include "session/state/history.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "run/history/event_list.h"

/* Removes every second row of one kind of event. */
static void thin(cs_history *m, unsigned kind)
{
    size_t kept = 0, i = 0, n = 0;
    for (; i < m->n; i++) {
        bool mine = m->at[i].kind == kind;
        if (!mine || n++ % 2 == 0)
            m->at[kept++] = m->at[i];
    }
    m->n = kept;
    m->kept[kind] = (n + 1) / 2;
    m->every[kind] *= 2;
}

static unsigned most_frequent(const cs_history *m)
{
    unsigned most = 0;
    for (unsigned k = 1; k <= CS_HELD; k++)
        most = m->kept[k] > m->kept[most] ? k : most;
    return most;
}

void cs_history_add(cs_history *m, const cs_moment *e)
{
    if (m->every[e->kind] == 0)
        m->every[e->kind] = 1;
    if (m->met[e->kind]++ % m->every[e->kind] != 0)
        return;
    if (m->n == CS_MOMENTS)
        thin(m, most_frequent(m));
    m->at[m->n++] = *e;
    m->kept[e->kind]++;
}

void cs_history_cut(cs_history *m, uint64_t step)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->n; i++) {
        bool stays = m->at[i].step <= step;
        m->kept[m->at[i].kind] -= !stays;
        if (stays)
            m->at[kept++] = m->at[i];
    }
    m->n = kept;
    m->seen = m->seen < step ? m->seen : step;
    if (m->seen == 0)
        *m = (cs_history){.n = 0};
}

/* Adds an event. Changes are not added, since they are in the journal. */
static void take(void *self, const cs_event *e)
{
    cs_history *m = self;
    if (e->kind != CS_EVENT_CHANGE)
        cs_history_add(m, &(cs_moment){.step = e->step,
                                       .arm = e->arm,
                                       .chain = e->chain,
                                       .kind = e->kind});
}

void cs_history_follow(cs_history *m, const cs_run *r, uint64_t end)
{
    uint64_t now = cs_run_steps(r);
    if (end < m->seen) /* true if a script has rewound the run and discarded the
                          later steps */
        cs_history_cut(m, end);
    if (now <= m->seen)
        return;
    cs_run_events(r, CS_EVERY, CS_EVERY, m->seen, take, m);
    m->seen = now;
}
