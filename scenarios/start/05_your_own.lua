-- A target and a kernel of one's own, in a few lines.
--
-- The target is a banana: x1 is standard normal, and x2 follows x1^2. Its
-- gradient is found by central differences, since only the log density is
-- given. The kernel proposes a move along the banana: first x1, then x2 near
-- the new x1^2. That proposal is not symmetric (a move back has another
-- density), so it comes with log_q, and the accept step puts that right.
local cs = require "chainscope"

local banana = cs.target {
  name = "banana",
  space = cs.real(2),
  view = { -3, 3, -2, 8 },
  log_density = function(x)
    return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2)
  end,
}

local along = cs.kernel {
  params = { step = 1.5, width = 0.22 },
  propose = function(x, draw, p)
    local a = x[1] + p.step * draw:normal()
    return { a, a^2 + p.width * draw:normal() }
  end,
  log_q = function(from, to, p)
    return -0.5 * ((to[1] - from[1]) / p.step)^2
           - 0.5 * ((to[2] - to[1]^2) / p.width)^2
  end,
}

return cs.scenario {
  title  = "Your own target, your own kernel",
  shows  = "a proposal that knows the shape beats one that does not",
  target = banana,
  chains = 2, seed = 5,
  arms   = {
    along = along,
    walk  = cs.kernel.random_walk { step = 0.5 },
    mala  = cs.kernel.mala { step = 0.1 },
  },
  budget = { steps = 5000 },
  screen = { "map", "trace", "acceptance", "summary" },
}
