-- Table 4 on Fashion-MNIST, which the paper does not have and Debian does (package
-- dataset-fashion-mnist): see table_4.lua, which says what is done. Its files go to
-- the folder of data as images/fashion-train-images-idx3-ubyte.gz and
-- images/fashion-test-images-idx3-ubyte.gz; without them draws of a machine of digits
-- stand in.
local table_4 = require "learning.table_4"
local set = table_4.data "fashion"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of clothes",
  shows  = "Whether the order of the samplers is the same on data of another kind",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 8, seed = 1,
  claims = table_4.claims(set, nil, { block = "cannot tell", dmala = true }),
}
