-- A landscape of your own: Gaussian hills that you edit while the chains run.
--
-- Both kernels cross between the two near hills; the third hill is 23 standard deviations
-- away. `short` has steps as wide as a hill and never reaches the third hill, but its
-- R-hat is 1.00, since all chains started at the near hills. `long` has steps of 8: 95 %
-- of its proposals fall where the density is almost 0, but it reaches all three hills.
--
-- Press H to edit: a click adds a hill or grabs one; drag a hill to move it (off the map
-- removes it); the wheel changes its width. Esc ends editing; then a click moves the
-- chosen chain to that point. Try: drag hill 3 until `short` crosses too. Add a hill half
-- way. Widen hill 3. Click on hill 3: a chain of `short` is now on it, and R-hat is large
-- at once.
local cs = require "chainscope"

-- Keys while editing: n selects the next hill, the arrow keys move it, ( and ) change its
-- width, - and + its weight, a adds a hill and d deletes one. U undoes all changes.
-- `:hill` lists the hills, `:save mine.lua` saves them as a scenario.
return cs.scenario {
  title  = "A landscape of your own",
  shows  = "The density between two modes decides whether a chain crosses",
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
  screen = { "lesson", "map", "visits", { "trace", quantity = "x.1" }, "summary" },
  claims = {
    { arm = "short", stat = "mean", of = "x.1", at_most = 1, note = "the exact value is 4" },
    { arm = "short", stat = "rhat", at_most = 1.05, note = "R-hat does not detect the missing hill" },
    { arm = "long", stat = "mean", of = "x.1", near = 4, within = 3 },
  },
}
