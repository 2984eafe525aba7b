-- A density that soon enters an endless loop.
local cs = require "chainscope"
return cs.scenario {
  title = "Stuck",
  chains = 1,
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
    while math.abs(x[1]) > 2 do end
    return -0.5 * x[1] ^ 2
  end },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
}
