-- A target whose real coordinates are shown as grey levels. Some values are
-- outside of the scale.
local cs = require "chainscope"

return cs.scenario {
  title  = "Greys",
  target = cs.target {
    space = cs.real(14),
    log_density = function(x) return -0.5 * cs.math.dot(x, x) end,
    picture = { rows = 3, cols = 4, first = 2, low = -1, high = 1.5 },
  },
  chains = 3, seed = 5,
  arms   = { cs.kernel.mala { step = 0.8 } },
  screen = { "picture", "trace" },
}
