-- chainscope run bioassay.lua --trust
local cs = require "chainscope"

return cs.scenario {
  title  = "A model in Python",
  shows  = "a log density that another program evaluates, asked on a pipe",
  target = cs.target { process = { "python3", "bioassay.py" }, view = { -4, 10, -10, 40 } },
  chains = 4, seed = 1,
  arms   = { nuts = cs.kernel.nuts {}, walk = cs.kernel.random_walk { step = 3 } },
  budget = { steps = 1000 },
  screen = { "map", { "trace", quantity = "beta" }, "summary" },
  claims = {
    { arm = "nuts", stat = "mean", of = "beta", near = 10.3, within = 1 },
  },
}
