/* Transforms of matrices: rows of cs_transforms (transform.h). */
#pragma once

#include "density/transform.h"

size_t cs_dim_correlation(size_t n);
size_t cs_dim_covariance(size_t n);

cs_arg cs_map_cholesky_corr(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                            cs_arg *log_jacobian);
cs_arg cs_map_correlation(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                          cs_arg *log_jacobian);
cs_arg cs_map_cholesky_cov(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                           cs_arg *log_jacobian);
cs_arg cs_map_covariance(cs_calc *c, cs_arg u, const cs_transform_shape *s,
                         cs_arg *log_jacobian);

void cs_free_cholesky_corr(const double *y, const cs_transform_shape *s,
                           double *u);
void cs_free_correlation(const double *y, const cs_transform_shape *s,
                         double *u);
void cs_free_cholesky_cov(const double *y, const cs_transform_shape *s,
                          double *u);
void cs_free_covariance(const double *y, const cs_transform_shape *s,
                        double *u);
