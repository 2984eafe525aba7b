-- Table 4 on KMNIST: see table_4.lua, which says what is done. Without the folder
-- of data, images/kmnist10k-train-images-idx3-ubyte.gz and the like, draws
-- of a machine of digits stand in for them. The folder has 8000 of its images, not 60,000.
local table_4 = require "learning.table_4"
local set = table_4.data "kmnist10k"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of KMNIST",
  shows  = "What samplers make of the same images, beside independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 8, seed = 1,
  claims = table_4.claims(set, "kMNIST", { begun = 21 }),
}
