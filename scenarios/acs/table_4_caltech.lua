-- Table 4 on Caltech silhouettes: see table_4.lua, which says what is done. Without the folder
-- of data, images/caltech101-silhouettes-train-images-idx3-ubyte.gz and the like, draws
-- of a machine of digits stand in for them.
local table_4 = require "learning.table_4"
local set = table_4.data "caltech101-silhouettes"

return table_4.scenario {
  title  = "Learning a Boltzmann machine of Caltech silhouettes",
  shows  = "What samplers make of the same images, beside independent pixels",
  source = "acs, section 6.2, appendix D.4, table 4, algorithm 6",
  tags   = "images learning cyclical",
  set    = set, cycle = 20, seed = 1,
  claims = table_4.claims(set, { block = -511.65, gwg = -827.45, dmala = -427.29, acs = -396.04 }),
}
