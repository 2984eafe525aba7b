-- Table 1 on Omniglot: see table_1.lua, which says what is done. Without the
-- folder of data, images/omniglot28-train-images-idx3-ubyte.gz and the like,
-- draws of a machine of digits stand in for them.
local table_1 = require "learning.table_1"

return table_1.scenario {
  title   = "Learning a deep energy of Omniglot",
  shows   = "Letters of many alphabets, few of each",
  name    = "omniglot28", size = 14, channels = 8,
  printed = "-91.487 for -99.243",
  holds   = "cannot tell",
}
