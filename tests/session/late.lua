-- A density that becomes much slower within one time quantum of a session (the
-- steps between two checks for commands).
local cs = require "chainscope"
return cs.scenario {
  title = "Late",
  chains = 1,
  target = cs.target { space = cs.real(1), traced = false, log_density = function(x)
    if math.abs(x[1]) > 6.5 then for _ = 1, 50000000 do end end
    return -0.5 * x[1] ^ 2
  end },
  arms = { walk = cs.kernel.random_walk { step = 1 } },
}
