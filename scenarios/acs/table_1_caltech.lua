-- Table 1 on Caltech silhouettes: see table_1.lua, which says what is done. Without the
-- folder of data, images/caltech101-silhouettes-train-images-idx3-ubyte.gz and the like,
-- draws of a machine of digits stand in for them.
local table_1 = require "learning.table_1"

return table_1.scenario {
  title   = "Learning a deep energy of Caltech silhouettes",
  shows   = "Large dark shapes, where one pixel says much of the next",
  name    = "caltech101-silhouettes", size = 14, channels = 8,
  printed = "-89.262 for -98.001",
  holds   = "cannot tell",
}
