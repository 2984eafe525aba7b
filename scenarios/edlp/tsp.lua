-- Eight cities, and whether flatness shows in the tours that are found.
--
-- A tour is 24 bits: at each of eight positions the three coordinates of a
-- corner of the cube. All bits may flip at once; what is then no tour is
-- refused, and the chain stays. Few proposals are tours: a chain that sees some
-- dozens of the 40,320 in 8000 steps has not mixed, and what it has seen is
-- where it happened to walk.
--
-- The paper keeps the distinct tours of one chain and compares the spread of
-- their costs: less means a flatter region, and EDULA and EDMALA are to have
-- less. One chain each is too little to say so. Here many chains do what the
-- paper's one did (10,000 steps from A-B-C-D-E-F-G-H, the first 2000 left out),
-- and the errors are those of their mean.
--
-- Accepting is one decision over all bits, as the paper writes it. The authors'
-- program decides for each of the eight positions by itself and mixes the old
-- tour with the new one; that leaves no distribution invariant. It is the arm
-- `released`: a third of the tours, and visits that cost 1.3 less than under
-- the target, which is what the paper's figures are made of. That decision does
-- the same to both samplers: of 128 chains each, by a program of its own, the
-- spread of costs is 0.951 +- 0.029 for DMALA so decided and 0.953 +- 0.035 for
-- EDMALA, of 12.3 and 10.2 tours.
--
-- What is exactly true, from all 40,320 orderings: the Boltzmann mean of the
-- cost is 16.469271, its deviation 1.587654. The samplers with an accept step
-- visit tours accordingly, whatever eta is; those without cost 1.5 more.
local cs = require "chainscope"
local settings = require "paper.settings"

local target = cs.target.tsp { gradient = "coordinates", tours = "identity" }

-- DMALA as released. What it says is the density of its proposal is the target
-- itself, so that nothing is refused once more.
local released_step = 0.2
local function flips(x)
  local g, p = target:gradient(x), {}
  for i = 1, 24 do
    p[i] = 1 / (1 + math.exp(1 / (2 * released_step) - 0.5 * (1 - 2 * x[i]) * g[i]))
  end
  return p
end
local function is_tour(x) return target:log_density(x) > -math.huge end

local function decide(x, y, draw)
  local p, q, out = flips(x), flips(y), {}
  local change = target:log_density(y) - target:log_density(x)
  for position = 0, 7 do
    local first, last, ratio = 3 * position + 1, 3 * position + 3, change
    for i = first, last do
      ratio = ratio + (x[i] == y[i] and math.log((1 - q[i]) / (1 - p[i])) or math.log(q[i] / p[i]))
    end
    local taken = math.log(draw:uniform()) < ratio and y or x
    for i = first, last do out[i] = taken[i] end
  end
  return is_tour(out) and out or x
end

local released = cs.kernel {
  propose = function(x, draw)
    local p, y = flips(x), {}
    for i = 1, 24 do y[i] = draw:uniform() < p[i] and 1 - x[i] or x[i] end
    return is_tour(y) and decide(x, y, draw) or x
  end,
  log_q = function(_, to) return target:log_density(to) end,
}

local superior = "show clear superiority over their counterparts, DULA and DMALA, by achieving lower variance cost-spreads"

return cs.scenario {
  title  = "Eight cities",
  shows  = "Tours as bit strings: few proposals are valid, and flat modes do not show",
  source = "edlp, sections 6.2 and E.2",
  tags   = "tours combinatorial",

  target = target,
  chains = 32, seed = 3,
  arms   = {
    dula   = cs.kernel.dula { step = 0.1 },
    dmala  = cs.kernel.dmala { step = 0.2 },
    edula  = cs.kernel.edula { step = 0.1, step_a = 0.1, eta = 0.1 },
    edmala = cs.kernel.edmala { step = 0.2, step_a = 0.1, eta = 0.8 },
    released = { kernel = released, chains = 16 },
  },
  budget = { steps = 10000 },
  warmup = 0, -- counted from the start, as in the paper
  printed = settings.tsp,
  setting = "each chain does what the paper's one did; accepted as it writes, not as its program decides",
  full   = { chains = 512, setting = "each chain does what the paper's one did; accepted as it writes, not as its program decides" },
  probes = { "acceptance", "trace", "energy", "moments", "diagnostics",
             tours = { after = 2000 }, only = true },
  screen = { "picture", "trace", "energy", "acceptance", "summary" },

  claims = {
    -- The distribution of the samplers with an accept step is the target's: 16.469271. The
    -- paper's 2000 steps do not quite forget a start that costs 24.4: they are some
    -- ten moves, and these visits cost 0.1 to 0.4 more.
    { arm = "dmala", stat = "tour_visits", near = 16.469271, within = 0.6 },
    { arm = "edmala", stat = "tour_visits", near = 16.469271, within = 0.6 },
    { arm = "dula", stat = "tour_visits", at_least = 17, note = "without an accept step: biased" },
    { arm = "edula", stat = "tour_visits", at_least = 17, note = "without an accept step: biased" },
    -- Distinct tours of a chain. The paper prints no numbers beside figs. 3, 12
    -- and 13; the notes are of its program with its own seed: one chain each.
    { arm = "dula", stat = "tours", at_least = 12, at_most = 30, note = "24 by the paper's program" },
    { arm = "dmala", stat = "tours", at_least = 25, at_most = 50,
      note = "15 by the paper's program, 43 in its files" },
    { arm = "edula", stat = "tours", at_least = 45, at_most = 80, note = "59 by the paper's program" },
    { arm = "edmala", stat = "tours", at_least = 17, at_most = 40,
      note = "11 by the paper's program, 21 in its files" },
    -- The costs are of the program's files, one chain each: the paper draws them (figure 3,
    -- left) and prints none. Held to the same bound for all four.
    { arm = "dula", stat = "tour_cost", near = 19.3866, within = 0.5, holds = false,
      paper = "19.39, drawn in figure 3", source = "program", note = "one chain is far from the mean of many" },
    { arm = "dmala", stat = "tour_cost", near = 16.8078, within = 0.5, paper = "16.81, drawn in figure 3", source = "program" },
    { arm = "edula", stat = "tour_cost", near = 18.1157, within = 0.5, paper = "18.12, drawn in figure 3", source = "program" },
    { arm = "edmala", stat = "tour_cost", near = 16.4521, within = 0.5, holds = false,
      paper = "16.45, drawn in figure 3", source = "program" },
    -- Decided position by position, as released.
    { arm = "released", stat = "tours", at_least = 8, at_most = 18,
      note = "15 by the paper's program" },
    { arm = "released", stat = "tour_visits", at_most = 16.2,
      note = "the target's mean is 16.469271: this leaves another distribution invariant" },
    { arm = "released", stat = "tour_cost_sd", over = "dmala", at_most = 0.9,
      note = "the spread that the paper compares depends on how it is decided" },
    -- Is the spread of costs smaller? The program's files have two sets of spreads, of other
    -- runs: 1.95 beside 2.46 and 1.35 beside 1.86 of the tours that are there, 1.65 beside
    -- 2.46 and 0.48 beside 1.98 in the bars that are drawn.
    { arm = "edula", than = "dula", stat = "tour_cost_sd", relation = "below",
      quote = superior, where = "figure 3", holds = "cannot tell",
      note = "1.65 beside 2.46 in its program: over many chains the spreads are alike" },
    { arm = "edmala", than = "dmala", stat = "tour_cost_sd", relation = "below",
      quote = superior, where = "figure 3", holds = false,
      note = "0.48 beside 1.98 in its program: over many chains the spread is 0.14 +- 0.05 larger" },
    -- Are tours nearer to the best one? Mean distances to a chain's best (figure 3, right, is
    -- of them and their spread; figure 12 is of pairs).
    { arm = "edmala", than = "dmala", stat = "tour_mismatch", relation = "below", only = "quick", holds = "cannot tell",
      quote = "EDMALA has a lower upper bound compared to DMALA", where = "figure 3", note = "-0.8 +- 0.4" },
    { arm = "edmala", than = "dmala", stat = "tour_mismatch", relation = "below", only = "full",
      quote = "EDMALA has a lower upper bound compared to DMALA", where = "figure 3",
      note = "the mean; a little lower: fewer tours are seen, and one of them is the best itself" },
    { arm = "edula", than = "dula", stat = "tour_mismatch", relation = "alike", within = 2,
      quote = "DULA and EDULA have similar upper bounds", where = "figure 3", holds = false,
      note = "the mean: more tours are seen" },
  },
}
