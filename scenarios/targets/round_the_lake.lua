-- Twelve cities round a lake: moves must suit the encoding of a state.
--
-- The cities come from a TSPLIB file and are numbered at random. The best tour, along
-- the shore, costs 624. A state is the list of the cities' numbers in bits, four bits
-- for each position. If one bit changes, some city occurs twice, and the state is no
-- longer a tour.
--
-- Watch which kernels find the best tour. `gibbs` can never move. `dmala` (discrete
-- Metropolis-adjusted Langevin) flips each bit independently, and almost always breaks a
-- tour too. A kernel that changes pairs of bits can exchange two cities: `gwg` (Gibbs
-- with gradients) with two flips finds exchanges by luck, and `ball` (Hamming ball of
-- radius two) searches all pairs among ten bits.
local cs = require "chainscope"

return cs.scenario {
  title  = "Round the lake",
  shows  = "Where most states are infeasible, a move must change the right number of bits",
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
  warmup = 0, -- the best tour is recorded from the first step
  probes = { "acceptance", "trace", "energy", "moments", "diagnostics", "tours", only = true },
  screen = { "picture", "trace", "energy", "acceptance", "summary" },

  claims = {
    { arm = "gibbs", stat = "moved", at_most = 0.25,
      note = "it never moved; sixteen chains can only show this bound" },
    { arm = "dmala", stat = "moved", at_most = 0.01 },
    { arm = "gwg", stat = "moved", at_least = 0.01 },
    { arm = "ball", stat = "moved", at_least = 0.02 },
    { arm = "ball", stat = "tour_best", at_least = 624, at_most = 750 },
    { arm = "dmala", stat = "tour_best", at_least = 750 },
  },
}
