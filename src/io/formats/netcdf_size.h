/* The length that a netCDF file must have. The netCDF library reports a cut
 * file of netCDF-4 only as "HDF error", and reads zeros from a cut file of the
 * classic formats. */
#pragma once

#include "base/status.h"

/* Fails with CS_INPUT if the file is shorter than its header states: the end of
 * the file in the superblock of HDF5 (netCDF-4), or the end of the last
 * variable of the classic formats CDF-1, 2 and 5. The error has the actual and
 * the stated number of bytes. A header that states no length passes. */
cs_status cs_netcdf_check_size(const char *path, cs_error *err);
