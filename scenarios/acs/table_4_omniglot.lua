-- Table 4 on Omniglot: see table_4.lua, which says what is done. Without the folder
-- of data, images/omniglot28-train-images-idx3-ubyte.gz and the like, draws
-- of a machine of digits stand in for them.
--
-- The order over five seeds in the full setting, +- the standard error over them, where
-- independent pixels have -173.5: block -146.5 +- 0.2, dmala -154.2 +- 0.9, acs -154.9 +- 0.6,
-- gwg -178.8 +- 6.0. Block above acs holds, by 8.4 +- 0.6, and dmala above gwg, by 25 +- 7; acs
-- above dmala cannot be told: it is 0.7 +- 0.8 below. With a floor of alpha_min that stays acs
-- had -160.6 +- 1.7: here, in two tunings of 300 updates, the running floor is worth 6.
local table_4 = require "learning.table_4"
local set = table_4.data "omniglot28"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of Omniglot",
  shows  = "What samplers make of the same images, beside independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 20, seed = 1,
  claims = table_4.claims(set, "Omniglot", { begun = -1, dmala = true }),
}
