-- Table 1 on MNIST: see table_1.lua, which says what is done. Without the
-- folder of data, images/mnist-train-images-idx3-ubyte.gz and the like,
-- draws of a machine of digits stand in for them.
local table_1 = require "learning.table_1"

return table_1.scenario {
  title   = "Learning a deep energy of MNIST",
  shows   = "A network of residual blocks on the images that the paper begins with",
  name    = "mnist", size = 14, channels = 8,
  printed = "static MNIST, -79.905 for -80.031; dynamic, -79.634 for -80.120",
  holds   = "cannot tell",
}
