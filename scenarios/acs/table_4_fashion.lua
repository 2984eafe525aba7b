-- Table 4 on Fashion-MNIST, which is not in the paper but in Debian (package
-- dataset-fashion-mnist): see table_4.lua for the method. Its files go to the data folder
-- as images/fashion-train-images-idx3-ubyte.gz and
-- images/fashion-test-images-idx3-ubyte.gz; without them draws of a machine of digits are
-- used.
local table_4 = require "learning.table_4"
local set = table_4.data "fashion"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of clothes",
  shows  = "Is the order of the samplers the same on another kind of data?",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 8, seed = 1,
  claims = table_4.claims(set, nil, { block = "cannot tell", dmala = true }),
}
