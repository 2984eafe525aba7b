-- A landscape of your own: hills that you put up while the chains run.
--
-- The target is three Gaussian hills in the plane. H begins to build on the map:
-- a click puts up a hill, or takes the one that stands there, which is pulled (off
-- the map it is gone); the wheel makes the nearest wider and narrower. By keys: n
-- chooses a hill, the arrows move it, ( and ) are its width, - and + its weight,
-- a adds one and d removes it. Esc: it is built, and a click then puts the chosen
-- chain there. U undoes all of it, `:hill` lists the hills, `:save mine.lua` keeps
-- them as a scenario.
--
-- As it stands, both kernels go back and forth between the two near hills, and the
-- third is far away: 23 widths of a hill. `short`, whose steps are as wide as a hill,
-- never gets there, and its chains agree well with each other: R-hat is 1.00, for
-- all of them began at the near hills. `long` has steps of 8: of its proposals 95 in
-- 100 fall on empty ground, but it comes to all three.
--
-- To try: pull hill 3 towards the others until `short` crosses as well. Put a hill
-- half way. Make hill 3 wider. Click on hill 3: now a chain of `short` is there,
-- and stays: R-hat is large at once.
local cs = require "chainscope"

return cs.scenario {
  title  = "A landscape of your own",
  shows  = "what lies between two modes decides whether a chain crosses",
  tags   = "lesson multimodal landscape",
  target = cs.target.mixture {
    means   = { { -2, 0 }, { 2, 1 }, { 20, 15 } },
    weights = { 0.4, 0.4, 0.2 },
    sd      = 1,
  },
  chains = 4, seed = 3, start = { { -2, 0 }, { 2, 1 } },
  arms   = {
    short = cs.kernel.random_walk { step = 1 },
    long  = cs.kernel.random_walk { step = 8 },
  },
  budget = { steps = 40000 },
  screen = { "lesson", "map", "visits", { "trace", of = "x.1" }, "summary" },
  claims = {
    { arm = "short", stat = "mean", of = "x.1", at_most = 1, note = "it is 4" },
    { arm = "short", stat = "rhat", at_most = 1.05, note = "and sees nothing" },
    { arm = "long", stat = "mean", of = "x.1", near = 4, within = 3 },
  },
}
