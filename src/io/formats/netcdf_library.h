/* The functions of the netCDF library that read and write files. The library is
 * opened only when a file is read or written, because loading it and its
 * dependencies would slow down every start of the program. */
#pragma once

#include "base/status.h"

#ifdef CS_NETCDF_LIBRARY

#include <netcdf.h>

#define CS_NETCDF_FUNCTIONS(F)                                                 \
    F(nc_open)                                                                 \
    F(nc_inq_grps)                                                             \
    F(nc_inq_grpname)                                                          \
    F(nc_inq_ncid)                                                             \
    F(nc_inq_dimids)                                                           \
    F(nc_inq_dim)                                                              \
    F(nc_inq_dimid)                                                            \
    F(nc_inq_dimlen)                                                           \
    F(nc_inq_natts)                                                            \
    F(nc_inq_attname)                                                          \
    F(nc_inq_nvars)                                                            \
    F(nc_inq_varids)                                                           \
    F(nc_inq_varid)                                                            \
    F(nc_inq_var)                                                              \
    F(nc_inq_var_deflate)                                                      \
    F(nc_inq_type)                                                             \
    F(nc_inq_typeid)                                                           \
    F(nc_inq_user_type)                                                        \
    F(nc_inq_enum_member)                                                      \
    F(nc_get_vara)                                                             \
    F(nc_get_vara_double)                                                      \
    F(nc_inq_att)                                                              \
    F(nc_get_att_double)                                                       \
    F(nc_get_att_longlong)                                                     \
    F(nc_free_string)                                                          \
    F(nc_create)                                                               \
    F(nc_def_grp)                                                              \
    F(nc_def_dim)                                                              \
    F(nc_def_var)                                                              \
    F(nc_def_var_deflate)                                                      \
    F(nc_def_enum)                                                             \
    F(nc_insert_enum)                                                          \
    F(nc_copy_att)                                                             \
    F(nc_put_att_text)                                                         \
    F(nc_put_var_longlong)                                                     \
    F(nc_put_vara)                                                             \
    F(nc_put_vara_double)                                                      \
    F(nc_close)                                                                \
    F(nc_strerror)

#define CS_NETCDF_MEMBER(name) __typeof__(name) *name;
typedef struct cs_netcdf_library {
    void *handle;
    CS_NETCDF_FUNCTIONS(CS_NETCDF_MEMBER)
} cs_netcdf_library;

/* Opens the library. Returns CS_UNSUPPORTED if it is not installed. */
cs_status cs_netcdf_load(cs_netcdf_library *l, cs_error *err);
void cs_netcdf_unload(cs_netcdf_library *l);

#endif
