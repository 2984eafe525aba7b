-- Table 4 on eMNIST: see table_4.lua for the method. Without
-- images/emnist-train-images-idx3-ubyte.gz and the test images in the data folder, draws
-- of a machine of digits are used.
local table_4 = require "learning.table_4"
local set = table_4.data "emnist"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of eMNIST",
  shows  = "Machines learned with four samplers, compared with independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 8, seed = 1,
  claims = table_4.claims(set, "eMNIST"),
}
