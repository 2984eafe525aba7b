-- Two members in turn, in slow motion.
local cs = require "chainscope"
return cs.scenario {
  title  = "Two members",
  target = cs.target {
    name   = "pair",
    params = { { x = cs.real() }, { k = cs.integer(1, 4) } },
    log_density = function(p) return -0.5 * p.x * p.x - 0.5 * p.k end,
  },
  chains = 2, seed = 3,
  arms   = { stairs = cs.kernel.cycle { cs.kernel.slice { on = "x" }, cs.kernel.gibbs { on = "k" } } },
  budget = { steps = 1000 },
  screen = { "state" },
}
