-- A target, a kernel, a schedule and a panel of your own, in a few lines of Lua.
--
-- The target is banana-shaped: x1 is standard normal, and x2 is near x1^2. You write only
-- the log density of the target, as a function. The program calls the function once with
-- symbols in place of numbers, records the operations, and derives the exact gradient
-- that kernels need.
--
-- Watch: `along`, a proposal written for this shape, gives far more effective draws than
-- the general kernels.
--
-- Try: change a number below, save the file and open it again.
local cs = require "chainscope"

local banana = cs.target {
  name  = "banana",
  space = cs.real(2),
  view  = { -3, 3, -2, 8 },
  log_density = function(x)
    return -0.5 * (x[1]^2 + 20 * (x[2] - x[1]^2)^2)
  end,
}

-- The kernel uses the shape of the banana: it moves x1, and then draws x2 near the new
-- x1^2. This move is not symmetric: its density differs between the two directions. So
-- the kernel has a function log_q, by which the accept step corrects the asymmetry. The
-- width of the kernel is a little larger than that of the banana (0.22): with a smaller
-- width, a chain that starts far away would wait very long at its start. All randomness
-- comes from `draw`, so that a run can be rewound and reproduced.
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

-- A schedule is a function of the step number: here nine small steps for local moves,
-- then one large step. The kernel is correct for every step size, so it is also correct
-- for a cycle of step sizes.
local function leap(k)
  return k % 10 == 0 and 2 or 0.3
end

-- A panel plots values that a function computes from the run; the function can read the
-- run but not change it. Here the value is the error of the mean of x2 over the draws
-- so far, for each arm. x2 is x1^2 plus noise of variance 1/20, so its exact mean is 1.
local off = cs.panel {
  name = "off", title = "error of the mean of x2 (exact: 1)",
  curves = function(run)
    local by = {}
    for _, arm in ipairs(run.arms) do by[arm.name] = (arm:figure("mean", 2) or 1) - 1 end
    return by
  end,
}

return cs.scenario {
  title  = "Your own target, kernel and schedule",
  tags   = "lesson lua",
  shows  = "A proposal that matches the target's shape is the most efficient",
  target = banana,
  chains = 4, seed = 5,
  arms   = {
    along   = along,
    walk    = cs.kernel.random_walk { step = 0.5 },
    leaping = cs.kernel.random_walk { step = leap },
    mala    = cs.kernel.mala { step = 0.2 },
  },
  budget = { steps = 5000 },
  speed  = 200, -- steps per second; the key + raises the speed, = selects full speed
  screen = { "lesson", "map", "trace", off, "acceptance", "summary" },

  -- This function is called when the run has been opened. It registers an event, whose
  -- output is shown on the screen.
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
