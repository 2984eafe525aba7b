-- The same algorithm twice: as a textbook writes it, and as it runs here.
--
-- `fast` is the kernel `dmala` in C: 8 or 16 chains in the lanes of a vector, the
-- gradient of the state kept from step to step, odds without a division. `plain` is
-- the same algorithm in forty lines of Lua, one bit after the other, in the file
-- lua/chainscope/plain.lua: read it there. Both take the same random numbers. So they
-- make the same chain, bit for bit, as long as no decision falls within the last
-- places of a number; and whoever doubts one of them can look at the other.
--
-- The panel `apart` shows the largest distance of a bit between the two, over all
-- chains: 0 as long as they agree, 1 for good once a single bit was decided
-- otherwise. `other` is `plain` with another balance of the gradient, and leaves at
-- once.
--
-- Not only does a slip in one of the two show at the step where it happens. Put the
-- cursor there, and `state` has the parts of both decisions, each by its name.
--
-- What is simple is slow: the race (X) in seconds has it a thousand times behind,
-- and its steps take twice as many gradients, since it keeps none.
--
-- Try: the same balance, and they stay apart, as each goes on from where it is.
--
--     :set other.balance 0.5
local cs = require "chainscope"

return cs.scenario {
  title  = "Plain and fast",
  shows  = "A textbook's algorithm beside the vectorised one: the same chain, step by step",
  source = "Zhang, Liu and Liu 2022, algorithm 1",
  tags   = "lesson discrete check",

  target = cs.target.ising { rows = 6, cols = 6, beta = 0.35 },
  chains = 4, seed = 21,
  arms   = {
    fast  = cs.kernel.dmala { step = 0.4 },
    plain = cs.plain.dmala { step = 0.4 },
    other = cs.plain.dmala { step = 0.4, balance = 0.45 },
  },
  budget = { steps = 1000 },
  speed  = 50,
  screen = { "lesson", "picture",
    cs.panel {
      name = "apart", title = "largest distance of a bit from fast",
      curves = function(run)
        return { plain = run:arm "plain":figure("apart", "fast"),
                 other = run:arm "other":figure("apart", "fast") }
      end,
    },
    "state", "race" },

  claims = {
    { arm = "plain", stat = "apart", of = "fast", at_most = 0, note = "the same chains, bit for bit" },
    { arm = "other", stat = "apart", of = "fast", at_least = 1 },
    { arm = "fast", stat = "gradients", at_most = 1.1, note = "one a step: that of the state is kept" },
    { arm = "plain", stat = "gradients", at_least = 2 },
  },
}
