-- Learning a Boltzmann machine of Omniglot with four samplers (table 4 of the acs paper).
--
-- The samplers are `block` (block Gibbs), `acs` (cyclical), `dmala` (discrete Langevin)
-- and `gwg` (Gibbs with gradients); see table_4.lua for the method. Without
-- images/omniglot28-train-images-idx3-ubyte.gz and the test images in the folder
-- CHAINSCOPE_DATA, draws from a Boltzmann machine of digits are used.
--
-- Mean log likelihood (nats) of held-out images over five seeds in the full setting (+-
-- the standard error; independent pixels -173.5): block -146.5 +- 0.2, dmala -154.2 +-
-- 0.9, acs -154.9 +- 0.6, gwg -178.8 +- 6.0. Paired by seed, block is above acs by 8.4 +-
-- 0.6, and dmala above gwg by 25 +- 7; dmala is above acs by 0.7 +- 0.8, which may be
-- chance.
local table_4 = require "learning.table_4"
-- The tuner of `acs` searches for the smallest step alpha_min again during the updates,
-- twice in 300 updates. If each search starts at the same value, the mean log likelihood
-- of `acs` is -160.6 +- 1.7. Here a search starts from the earlier results, which gains 6
-- nats.
local set = table_4.data "omniglot28"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of Omniglot",
  shows  = "Machines learned with four samplers, compared with independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 20, seed = 1,
  claims = table_4.claims(set, "Omniglot", { begun = -1, dmala = true }),
}
