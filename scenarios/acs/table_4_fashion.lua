-- Learning a Boltzmann machine of images of clothes (Fashion-MNIST) with four samplers.
--
-- This is table 4 of the acs paper (Pynadath et al. 2024) on a data set that the paper
-- does not use. The samplers that move the chains are `block` (block Gibbs), `acs`
-- (cyclical), `dmala` (discrete Metropolis-adjusted Langevin) and `gwg` (Gibbs with
-- gradients); see table_4.lua for the method. The images are in Debian's package
-- dataset-fashion-mnist. Put its files into the folder CHAINSCOPE_DATA as
-- images/fashion-train-images-idx3-ubyte.gz and images/fashion-test-images-idx3-ubyte.gz;
-- without them draws from a Boltzmann machine of digits are used.
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
