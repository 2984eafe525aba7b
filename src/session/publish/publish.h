/* Snapshots of the run for the front: what each file puts into one, under the keys
 * of session/client/snapshot.h. */
#pragma once

#include "run/run.h"

typedef struct cs_session cs_session;

/* Fills and hands over a snapshot. */
void cs_session_publish(cs_session *s);

/* The parameters of an arm, and what drives them. (publish_params.c) */
void cs_session_put_params(const cs_run *r, size_t arm, cs_flat *f);

/* While the run rests, and somebody looks: the step to come. (publish_preview.c) */
void cs_session_put_coming(cs_session *s, cs_flat *f);

/* The states of the chains that are looked at as pictures; data observed, and those
 * that the chain that is looked at simulated last. (publish_pictures.c) */
void cs_session_put_pictures(const cs_session *s, cs_flat *f);
void cs_session_put_data(const cs_session *s, cs_flat *f);
/* The n coordinates from `first` on by the clusters they are in: where the target
 * has bonds. (publish_clusters.c) */
void cs_session_put_clusters(const cs_session *s, size_t first, size_t n,
                             cs_flat *f);

/* The warnings of arm i, what :check has found, and the lesson that they lead to.
 * `told` has the arm's reports. (publish_warnings.c) */
void cs_session_put_warnings(cs_session *s, size_t i, const cs_flat *told,
                             cs_flat *f);
