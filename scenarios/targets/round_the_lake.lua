-- Twelve cities round a lake: the alphabet decides what a sampler can do.
--
-- The cities come from a file of TSPLIB and are numbered at random; the tour
-- along the shore costs 624. A state is the cities' numbers in bits, four for
-- each position. Whoever changes one bit names some city twice, which is no
-- tour: Gibbs can never move. Langevin proposals flip each bit by itself, and
-- almost always spoil a tour too. A kernel that looks at pairs of bits finds
-- the exchanges of two cities that are tours: gwg with two flips by luck, the
-- Hamming ball of radius two by going through all pairs of ten bits.
local cs = require "chainscope"

return cs.scenario {
  title  = "Round the lake",
  shows  = "Where most states are infeasible, the size of a move must fit",
  source = "travelling salesman, TSPLIB",

  target = cs.target.tsp { file = "ring12.tsp", beta = 0.02 },
  chains = 16, seed = 1,
  arms   = {
    gibbs = cs.kernel.gibbs {},
    dmala = cs.kernel.dmala { step = 0.2 },
    gwg   = cs.kernel.gwg { flips = 2 },
    ball  = cs.kernel.hamming_ball { sites = 10, radius = 2 },
  },
  budget = { steps = 20000 },
  warmup = 0, -- the best tour is sought from the start on
  probes = { "acceptance", "trace", "energy", "moments", "diagnostics", "tours", only = true },
  screen = { "picture", "trace", "energy", "acceptance", "summary" },

  claims = {
    { arm = "gibbs", stat = "moved", at_most = 0.25,
      note = "not once; that sixteen chains are alike says no more than this bound" },
    { arm = "dmala", stat = "moved", at_most = 0.01 },
    { arm = "gwg", stat = "moved", at_least = 0.01 },
    { arm = "ball", stat = "moved", at_least = 0.02 },
    { arm = "ball", stat = "tour_best", at_least = 624, at_most = 750 },
    { arm = "dmala", stat = "tour_best", at_least = 750 },
  },
}
