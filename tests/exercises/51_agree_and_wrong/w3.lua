-- slip: trusts_agreement
-- say: R-hat and the effective draws show that the chains of an arm agree, not that they have seen every hill
-- Trust in four arms, and starts that show who is wrong.
-- Mark it: chainscope exercise 51 --mark mine.lua
return {
  trust_walk = false, trust_hmc = true, trust_nuts = false, trust_exchange = true,
  start = { { -2, 2 }, { 3, -3 }, { -2, 3 }, { 3, -2 } },
  steps = 2000,
}
