-- A lesson whose second step has no end in the time of a test, and whose third step is short.
local cs = require "chainscope"
return cs.scenario {
  title = "A long step", shows = "commands are answered during a step",
  chains = 1, seed = 1,
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
    for _ = 1, 1000 do end
    return -0.5 * x[1] ^ 2
  end },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  budget = { steps = 1e9 },
  screen = { "trace" },
  course = {
    { say = "first" },
    { run = 20000, say = "second" },
    { run = 9e8, say = "third" },
    { say = "last" },
  },
}
