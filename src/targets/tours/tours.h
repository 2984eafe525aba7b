/* Tours of cities as bits, for the travelling salesman target.
 *
 * A state holds the code of the city at each of n positions. A code has
 * ceil(log2 n) bits, the most significant first. A state in which a city is
 * missing is not a tour. */
#pragma once

#include "data/tsplib.h"
#include "target/target.h"

enum {
    CS_TOURS_KNOWN = 9 /* largest number of cities whose tours are
                             enumerated */
};

/* A tour that starts at city 0. The struct also holds the total probability of
 * all tours whose cost is not larger than the cost of this tour. */
typedef struct cs_tour {
    double cost, running;
    unsigned char city[CS_TOURS_KNOWN];
} cs_tour;

typedef struct cs_tours {
    size_t n, bits, codes; /* codes = 2^bits */
    double beta;
    bool shuffled;       /* true: chains start at random tours; false: at the
                            tour 0, 1, 2, ... */
    uint32_t *code_of;   /* [n] code of a city [own] */
    uint32_t *city_of;   /* [codes] city of a code; n: no city [own] */
    double *cost;        /* [codes][codes] cost from the city of the row to the
                            city of the column, for every pair of codes: see
                            cs_tours_create [own] */
    double *place;       /* [n][2] coordinates of the cities, or NULL [own] */
    bool by_coordinates; /* true: use the paper's gradient, which is
                            defined only for its eight cities */
    double *moments;     /* [2][dim] mean and variance of the bits [own] */
    size_t n_known;      /* number of tours in `known`; 0: too many cities */
    cs_tour *known;      /* [n_known] tours by ascending cost [own] */
} cs_tours;

/* The parameter rows of the target tsp. */
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

/* The cold functions of the target type. Some pairs of codes occur in no tour,
 * and only the gradient uses the costs of these pairs. For a pair of equal
 * cities the cost is the mean cost. As a result, the estimated cost of
 * exchanging two cities is also right if the cities are adjacent. If a code is
 * not a city, the cost is the largest cost. */
cs_status cs_tours_create(cs_target *t, const cs_value *values, cs_error *err);
void cs_tours_destroy(cs_target *t);
void cs_tours_start(const cs_target *t, const double *logp, double *x);
void cs_tours_draw(const cs_target *t, const double *logp, double *x);
double cs_tours_energy(const cs_target *t, double energy);
void cs_tours_coordinate(const cs_target *t, size_t i, char *text, size_t size);
