-- Trust in four arms, and starts that show who is wrong.
-- Mark it: chainscope exercise 51 --mark mine.lua
return {
  trust_walk = false, trust_hmc = false, trust_nuts = false, trust_exchange = true,
  start = { { -2, 2 }, { 3, -3 }, { -2, 3 }, { 3, -2 } },
  steps = 2000,
}
