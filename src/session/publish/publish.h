/* Writes snapshots of the run for the front, with the keys of
 * session/client/snapshot.h. */
#pragma once

#include "run/run.h"

typedef struct cs_session cs_session;

/* Fills a snapshot and passes it to the front. */
void cs_session_publish(cs_session *s);

/* Publishes the parameters of an arm and the schedules or tuners that drive
 * them. (publish_params.c) */
void cs_session_put_params(const cs_run *r, size_t arm, cs_flat *f);

/* Publishes the preview of the next step while the run is paused and a panel
 * shows it. (publish_preview.c) */
void cs_session_put_preview(cs_session *s, cs_flat *f);

/* Publish the kinds of the displayed quantities; and the turns of the members of
 * a cycle or a mixture in the next step, while the run is paused or in slow
 * motion and a panel shows them. (publish_turns.c) */
void cs_session_put_shown(const cs_target *t, cs_flat *f);
void cs_session_put_turns(cs_session *s, cs_flat *f);

/* Publishes the states of the displayed chains as pictures, the observed data,
 * and the data that the selected chain has simulated last.
 * (publish_pictures.c) */
void cs_session_put_pictures(const cs_session *s, cs_flat *f);
void cs_session_put_data(const cs_session *s, cs_flat *f);
/* Publishes the cluster of each of the n coordinates from `first` on, if the
 * target has bonds. (publish_clusters.c) */
void cs_session_put_clusters(const cs_session *s, size_t first, size_t n,
                             cs_flat *f);

/* Publishes the warnings of arm i, the findings of :check, and the scenario
 * that explains these warnings. `reported` holds the arm's reports.
 * (publish_warnings.c) */
void cs_session_put_warnings(cs_session *s, size_t i, const cs_flat *reported,
                             cs_flat *f);
