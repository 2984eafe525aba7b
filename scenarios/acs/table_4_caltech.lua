-- Learning a Boltzmann machine of Caltech silhouettes (table 4 of the acs paper).
--
-- The samplers that move the chains are `block` (block Gibbs), `acs` (cyclical), `dmala`
-- (discrete Metropolis-adjusted Langevin) and `gwg` (Gibbs with gradients); see
-- table_4.lua for the method. Without
-- images/caltech101-silhouettes-train-images-idx3-ubyte.gz and the test images in the
-- folder CHAINSCOPE_DATA, draws from a Boltzmann machine of digits are used.
--
-- Mean log likelihood (nats) of held-out images over five seeds in the full setting:
-- block -294.7 +- 3.6, dmala -336.0 +- 9.5, acs -350.2 +- 5.4, gwg -353.3 +- 7.0. Paired
-- by seed, block is above acs by 55 +- 9, and dmala above gwg by 17 +- 5; dmala is above
-- acs by 14 +- 13, which may be chance.
local table_4 = require "learning.table_4"
local set = table_4.data "caltech101-silhouettes"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of Caltech silhouettes",
  shows  = "Machines learned with four samplers, compared with independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 20, seed = 1,
  claims = table_4.claims(set, "Caltech", { begun = 22, dmala = true }),
}
