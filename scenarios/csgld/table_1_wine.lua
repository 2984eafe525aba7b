-- Networks that regress: Wine.
--
-- As table_1.lua, of 1599 red wines: the mark that tasters gave, from eleven
-- numbers of a laboratory. 1439 rows to learn from, 160 held out, temperature 5,
-- zeta 10.
--
-- Five of six figures come out as printed, 0.66 +- 0.02 over ten splits, as
-- near as that error lets one tell. What momentum does without noise is worse
-- than printed: it fits the rows that it learns from.
--
-- `csgld` is the same chain as `sgld` here, and `csghmc` as `sghmc`. With zeta 10 and a hundred bins a
-- weight theta is learned by steps of theta^10 = 1e-20, which is to say never:
-- the multiplier stays 1, and all draws count alike. The paper has 0.62 beside
-- 0.63, so it must have had something else. It has another update for high zeta
-- (its eq. 57): in the kernel, update = "high_zeta".
--
-- Without uci/wine-red.csv in the folder CHAINSCOPE_DATA a table at random is
-- learned.
local cs = require "chainscope"
local uci = require "networks.uci"

return cs.scenario(uci.scenario {
  title = "Networks that regress: Wine",
  shows = "With zeta 10 the weights of bins are never learned",
  table = "wine-red", rows = 1439, temperature = 5, zeta = 10, count = 102400,
  printed = {
    { "sgd", 0.65, 0.01, holds = "cannot tell", note = "0.66 +- 0.02" },
    { "sgld", 0.63, 0.01, holds = "cannot tell", note = "0.66 +- 0.02" },
    { "csgld", 0.62, 0.01, holds = "cannot tell", note = "0.66 +- 0.02" },
    { "momentum_sgd", 0.71, 0.02, holds = false, note = "0.84 +- 0.01" },
    { "sghmc", 0.67, 0.02, holds = "cannot tell", note = "0.66 +- 0.02" },
    { "csghmc", 0.65, 0.01, holds = "cannot tell", note = "0.66 +- 0.02" },
  },
  ordered = {
    { "sgld", "sgd", "0.63 beside 0.65", holds = "cannot tell", note = "-0.002 +- 0.009" },
    { "csgld", "sgld", "0.62 beside 0.63", holds = "cannot tell",
      note = "0 in all splits: with zeta 10 theta is never learned" },
    { "sghmc", "momentum_sgd", "0.67 beside 0.71", note = "-0.19 +- 0.01" },
    { "csghmc", "sghmc", "0.65 beside 0.67", holds = "cannot tell", note = "0 in all splits" },
  },
})
