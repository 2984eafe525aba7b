local cs = require "chainscope"
return cs.scenario {
  title = "A normal law", shows = "that a run is kept, with what happens on its way",
  target = cs.target { space = cs.real(2), log_density = function(x) return -0.5 * (x[1]^2 + x[2]^2) end },
  chains = 3, seed = 7,
  arms = { a = cs.kernel.random_walk { step = 1.0 } },
  budget = { steps = 20000 }, warmup = 0,
  setup = function(run)
    run:every(70, function(r) r:arm("a"):set("step", 0.5 + r.steps % 770 / 500) end)
  end,
}
