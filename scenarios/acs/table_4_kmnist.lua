-- Table 4 on KMNIST: see table_4.lua for the method. Without
-- images/kmnist10k-train-images-idx3-ubyte.gz and the test images in the data folder,
-- draws of a machine of digits are used. The data folder has 8000 of KMNIST's images, not
-- 60,000.
local table_4 = require "learning.table_4"
local set = table_4.data "kmnist10k"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of KMNIST",
  shows  = "Machines learned with four samplers, compared with independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 8, seed = 1,
  claims = table_4.claims(set, "kMNIST", { begun = 21 }),
}
