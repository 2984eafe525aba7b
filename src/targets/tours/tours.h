/* Tours of cities as bits: what the travelling salesman's target stands on.
 *
 * A state names the city at each of n positions by its code, a number of
 * ceil(log2 n) bits, the most significant first. A state in which a city is
 * missing is no tour. */
#pragma once

#include "data/tsplib.h"
#include "target/target.h"

enum { CS_TOURS_KNOWN = 9 /* cities whose tours are all gone through */ };

/* A tour that begins at city 0, and the probability of all that are no
 * costlier than it. */
typedef struct cs_tour {
    double cost, running;
    unsigned char city[CS_TOURS_KNOWN];
} cs_tour;

typedef struct cs_tours {
    size_t n, bits, codes; /* codes = 2^bits */
    double beta;
    bool shuffled;       /* chains start at a random tour, not at the first */
    uint32_t *code_of;   /* [n] of a city [own] */
    uint32_t *city_of;   /* [codes] of a code; n: no city's [own] */
    double *cost;        /* [codes][codes] of the way from row to column, of
                           every pair: see cs_tours_create [own] */
    double *place;       /* [n][2] or NULL [own] */
    bool by_coordinates; /* the gradient is that of the eight cities */
    double *moments;     /* [2][dim] mean and variance of the bits [own] */
    size_t n_known;      /* tours below, 0: too many cities */
    cs_tour *known;      /* [n_known] by ascending cost [own] */
} cs_tours;

/* The rows of the parameters. */
enum {
    CS_TOURS_FILE,
    CS_TOURS_COSTS,
    CS_TOURS_CITIES,
    CS_TOURS_SEED,
    CS_TOURS_BETA,
    CS_TOURS_GRADIENT,
    CS_TOURS_TOURS
};
enum { CS_TOURS_MULTILINEAR, CS_TOURS_COORDINATES };
enum { CS_TOURS_SHUFFLED, CS_TOURS_IDENTITY };

/* The functions of a target type that are not hot. The costs of pairs that no
 * tour has are what the gradient sees of them: the mean cost where both are
 * the same city, so that two cities which change places look like what they
 * cost also side by side; the largest where a code is no city's. */
cs_status cs_tours_create(cs_target *t, const cs_value *values, cs_error *err);
void cs_tours_destroy(cs_target *t);
void cs_tours_start(const cs_target *t, const double *logp, double *x);
void cs_tours_draw(const cs_target *t, const double *logp, double *x);
double cs_tours_energy(const cs_target *t, double energy);
void cs_tours_coordinate(const cs_target *t, size_t i, char *text, size_t size);
