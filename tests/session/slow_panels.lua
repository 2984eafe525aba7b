-- Three panels that are slow, and show the step at which they were called.
local cs = require "chainscope"

local function panel(name)
  return cs.panel { name = name, table = function(run)
    local sum = 0
    for i = 1, 8e6 do sum = sum + i end -- some 50 milliseconds
    return { { "step " .. run.steps } }
  end }
end

return cs.scenario {
  title = "Slow panels", target = cs.target.gaussian { dim = 2 }, chains = 2, seed = 5,
  arms = { walk = cs.kernel.random_walk { step = 1 } },
  screen = { "trace", panel "one", panel "two", panel "three" },
}
