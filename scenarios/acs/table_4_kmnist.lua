-- Learning a Boltzmann machine of KMNIST with four samplers (table 4 of the acs paper).
--
-- The samplers that move the chains are `block` (block Gibbs), `acs` (cyclical), `dmala`
-- (discrete Metropolis-adjusted Langevin) and `gwg` (Gibbs with gradients); see
-- table_4.lua for the method. Without images/kmnist10k-train-images-idx3-ubyte.gz and the
-- test images in the folder CHAINSCOPE_DATA, draws from a Boltzmann machine of digits are
-- used. The file of training images has 8000 of KMNIST's 60,000 images.
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
