-- The same algorithm twice: as in a textbook, and as optimised code.
--
-- `fast` is the kernel `dmala` (discrete Metropolis-adjusted Langevin) in C: 8 or 16
-- chains in the lanes of a vector register. `plain` is the same algorithm in forty lines
-- of Lua (lua/chainscope/plain.lua). Both use the same random numbers, so their chains
-- are identical bit for bit, unless a decision depends on the last digits of a number.
-- `other` is `plain` with another balance (how far proposals follow the gradient) and
-- differs at once. Watch the panel `apart`: the largest difference from `fast` in any bit
-- of any chain, which is 0 while the chains are identical.
--
-- Try to give `other` the same balance. `other` still differs: its state has diverged.
--     :set other.balance 0.5
local cs = require "chainscope"

return cs.scenario {
  title  = "Plain and fast",
  shows  = "A textbook's algorithm and its vectorised form make the same chain, step by step",
  source = "Zhang, Liu and Liu 2022, algorithm 1",
  tags   = "lesson discrete check",

  target = cs.target.ising { rows = 6, cols = 6, beta = 0.35 },
  chains = 4, seed = 21,
  arms   = {
    -- `fast` keeps the gradient from step to step and computes the acceptance odds
    -- without a division.
    fast  = cs.kernel.dmala { step = 0.4 },
    plain = cs.plain.dmala { step = 0.4 },
    other = cs.plain.dmala { step = 0.4, balance = 0.45 },
  },
  budget = { steps = 1000 },
  speed  = 50,
  -- An error in either implementation shows at the step where it happens: put the cursor
  -- on that step, and the panel `state` shows the parts of both decisions by name. The
  -- race (key X), measured in seconds, shows that `plain` is about a thousand times
  -- slower; its steps also take twice the gradients, because it does not keep the
  -- gradient of the current state.
  screen = { "lesson", "picture",
    cs.panel {
      name = "apart", title = "largest difference of a bit from `fast`",
      curves = function(run)
        return { plain = run:arm "plain":figure("apart", "fast"),
                 other = run:arm "other":figure("apart", "fast") }
      end,
    },
    "state", "race" },

  claims = {
    { arm = "plain", stat = "apart", of = "fast", at_most = 0, note = "the chains are the same, bit for bit" },
    { arm = "other", stat = "apart", of = "fast", at_least = 1 },
    { arm = "fast", stat = "gradients", at_most = 1.1, note = "one gradient per step, because that of the current state is kept" },
    { arm = "plain", stat = "gradients", at_least = 2 },
  },
}
