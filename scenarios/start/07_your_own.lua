-- A target, a kernel, a schedule and a panel of one's own, in a few lines.
--
-- The target is a banana: x1 is standard normal, and x2 follows x1^2. Only
-- its log density is written down: the program calls it once with symbols in
-- place of numbers, records what it computes, and derives the exact gradient
-- that kernels need.
local cs = require "chainscope"

local banana = cs.target {
  name  = "banana",
  space = cs.real(2),
  view  = { -3, 3, -2, 8 },
  log_density = function(x)
    return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2)
  end,
}

-- The kernel knows the shape: it moves x1, then puts x2 near the new x1^2.
-- Such a move is not symmetric (back has another density than forth), so it
-- comes with log_q, and the accept step puts that right. Its width is a little
-- more than the banana's own (0.22): with less, a chain that starts far off
-- would wait there for ages. All randomness is taken from `draw`: so a run can
-- be rewound, and comes out the same again.
local along = cs.kernel {
  params  = { step = 1.5, width = 0.25 },
  propose = function(x, draw, p)
    local a = x[1] + p.step * draw:normal()
    return { a, a^2 + p.width * draw:normal() }
  end,
  log_q = function(from, to, p)
    return -0.5 * ((to[1] - from[1]) / p.step)^2
           - 0.5 * ((to[2] - to[1]^2) / p.width)^2
  end,
}

-- A schedule is a function of the step number: here nine small steps that
-- settle, then one that leaps. The kernel is right at any step, so a cycle of
-- steps is right too.
local function leap(k)
  return k % 10 == 0 and 2 or 0.3
end

-- A panel shows what a function says of the run, which it may read and not change:
-- here by how much the mean of x2 is off so far, in each arm. x2 is x1^2 and
-- noise of variance 1/20: its mean is 1.
local off = cs.panel {
  name = "off", title = "mean of x2, less the exact 1",
  curves = function(run)
    local by = {}
    for _, arm in ipairs(run.arms) do by[arm.name] = (arm:figure("mean", 2) or 1) - 1 end
    return by
  end,
}

return cs.scenario {
  title  = "Your own target, kernel and schedule",
  tags   = "lesson lua",
  shows  = "A proposal matched to the target's shape wins",
  target = banana,
  chains = 4, seed = 5,
  arms   = {
    along   = along,
    walk    = cs.kernel.random_walk { step = 0.5 },
    leaping = cs.kernel.random_walk { step = leap },
    mala    = cs.kernel.mala { step = 0.2 },
  },
  budget = { steps = 5000 },
  speed  = 200, -- steps a second on the screen: + faster, = as fast as it goes
  screen = { "lesson", "map", "trace", off, "acceptance", "summary" },

  -- What is done once the run is open: an event, and what it prints is shown.
  setup = function(run)
    run:every(1000, function()
      print(("step %d: `along` has accepted %.3f"):format(run.steps,
        run:arm("along"):figure("acceptance")))
    end)
  end,

  claims = {
    { arm = "along", stat = "mean", of = 2, near = 1, within = 0.15 },
    { arm = "along", stat = "sd", of = 1, near = 1, within = 0.05 },
    { arm = "along", stat = "ess", at_least = 1500 },
    { arm = "walk", stat = "ess", at_most = 400 },
  },
}
