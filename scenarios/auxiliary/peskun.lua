-- Three chains in order: auxiliary, Metropolis within Gibbs, ideal.
--
-- How much does a chain lose by auxiliary variables? Section 4 of the paper compares it
-- with two idealised chains. `within` has only the first variable, the rows that guide a
-- proposal, and uses the exact ratio. `ideal` proposes from the mean over those rows. No
-- off-diagonal entry of the first transition matrix is above the second's, nor of the
-- second above the third's (lemma 1). Here, on 60 points of a line, all are computed
-- exactly. For Tuna-SGLD the gaps are 0.025, 0.037 and 0.199: the noise of the ratio
-- costs a third, the guide a factor of five.
--
-- Watch `acceptance` and the trace: the chains of this run agree with the matrices. Try
-- other numbers with cs.theory.tuna_sgld { ... }; see cs.help "theory".
local cs = require "chainscope"
local line = require "on_a_grid.line"
local computed = require "on_a_grid.computed"

-- Two rows disagree here, at -2 and 2: a minibatch saves nothing, but all counts can be
-- enumerated. Tuna-SGLD is guided by one of the rows: the reverse move must be proposed
-- with the same row, which does not lead back. The ideal chain uses both. Poisson-MALA
-- has the same variable for both purposes, so it is its own `within`: 0.082, ideal 0.140;
-- Poisson-Barker 0.065 and 0.095. PoissonMH has no guide: its `within` is the ideal
-- chain, the random walk, 0.112, and its own gap is 0.039. Proposition 6 bounds `within`
-- by the Gibbs sampler and the worst step given omega_1: 0.011 of 0.037 for Tuna-SGLD,
-- and 0 for Poisson-MALA, since for very rare counts its steps do not move. An error in
-- appendix B.7: it calls 1 - |P| the gap, and then uses that it is the least of E(P, f) /
-- |f|^2. That is 1 - lambda_2, which differs if the most negative eigenvalue has the
-- largest modulus. For two states that always swap: 0 and 2. The order above is for the
-- second kind of gap; for the first kind, a chain with some rejections has the larger
-- gap.
local step, lambda, chi = 1.2, 0.003, 0.1
local steps, chains = 60000, 8

local function of(name)
  if name:find "^tuna" then return line.tuna(name, step, chi) end
  return line.poisson(name, step, lambda)
end

local claims = {}
local function claim(...) claims[#claims + 1] = computed(...) end

-- Compares measured with computed values: acceptance, and effective draws over all
-- chains.
local function measured(arm, name, kind, acceptance, time)
  claim(arm, "acceptance, computed", function() return of(name).acceptance[kind] end, { near = acceptance, within = 1e-3 })
  claims[#claims + 1] = { arm = arm, stat = "acceptance", near = acceptance, within = 0.006 }
  claim(arm, "autocorrelation time, computed", function() return of(name).time[kind] end,
        { near = time, within = 0.01 * time })
  local draws = steps * chains / time
  claims[#claims + 1] = { arm = arm, stat = "ess", of = "x.1", near = draws, within = 0.25 * draws }
end
measured("walk", "poisson_mh", "ideal", 0.611, 16.58)
measured("poisson_mh", "poisson_mh", "auxiliary", 0.472, 48.85)
measured("poisson_mala", "poisson_mala", "auxiliary", 0.4237, 22.85)
measured("poisson_barker", "poisson_barker", "auxiliary", 0.6626, 28.6)
measured("tuna_mh", "tuna_mh", "auxiliary", 0.4166, 37.11)
measured("tuna_sgld", "tuna_sgld", "auxiliary", 0.0867, 52.05)

local lemma = "p_aux <= p_MwG <= p_ideal"
local lemma_tex = [[p_{\mathsf{aux}}(\theta,\theta^{\prime})\leq p_{\mathsf{MwG}}(\theta,\theta^{\prime})\leq p_{\mathsf{ideal}}(\theta,\theta^{\prime})]]
for _, name in ipairs { "poisson_mh", "poisson_mala", "poisson_barker", "tuna_mh", "tuna_sgld" } do
  claim(name, "largest p_aux - p_MwG", function() return of(name).excess.within end, { at_most = 1e-12, quote = lemma_tex, where = "lemma 1", paper = lemma })
  claim(name, "largest p_MwG - p_ideal", function() return of(name).excess.ideal end, { at_most = 1e-12, quote = lemma_tex, where = "lemma 1", paper = lemma })
  claim(name, "largest imbalance", function() return of(name).imbalance end,
        { at_most = 1e-14, quote = "is reversible with respect to", where = "proposition 2" })
  claim(name, "least p_aux over (1 - d_TV) p_MwG", function() return of(name).theorem_1.tv end,
        { at_least = 1 - 1e-9, where = "theorem 1",
          quote = [[\geq\bigl(1-d_{{\sf TV}}(\theta,\theta^{\prime})\bigr)\,p_{\mathsf{MwG}}]], paper = "p_aux >= (1 - d_TV) p_MwG" })
  claim(name, "least p_aux over e^(-1/e - d_KL) p_MwG", function() return of(name).theorem_1.kl end,
        { at_least = 1, quote = [[\geq e^{-1/e}\exp\!\Bigl\{-\min]], where = "theorem 1",
          paper = "p_aux >= e^(-1/e) exp(-min d_KL) p_MwG" })
end

local function gap(name, kind, near)
  claim(name, "gap of " .. kind, function() return of(name).gap[kind] end, { near = near, within = 0.005 * near })
end
gap("tuna_sgld", "auxiliary", 0.0251)
gap("tuna_sgld", "within", 0.0369)
gap("tuna_sgld", "ideal", 0.1988)
gap("poisson_mala", "within", 0.0824)
gap("poisson_mala", "ideal", 0.1400)
gap("poisson_barker", "within", 0.0654)
gap("poisson_barker", "ideal", 0.0950)
gap("poisson_mh", "auxiliary", 0.0390)
gap("poisson_mh", "ideal", 0.1124)

-- Proposition 6, on 20 points: bounds the gap of `within` by that of the Gibbs sampler
-- and of the steps given omega_1.
for _, row in ipairs { { "tuna_sgld", 0.0113, 0.0113 }, { "poisson_mala", 0, -0.0111 }, { "poisson_barker", 0.0212, 0.0171 } } do
  local name = row[1]
  local function theory()
    if name == "tuna_sgld" then return line.tuna(name, step, chi, 20) end
    return line.poisson(name, step, lambda, 20)
  end
  for k, field in ipairs { "first", "second" } do
    local what = ("proposition 6.%d, %s"):format(k, name)
    claim(name, what, function() return theory().proposition_6[field] end, { near = row[1 + k], within = 1e-3 })
    claim(name, "gap of within less " .. what, function() local t = theory() return t.absolute_gap.within - t.proposition_6[field] end,
          { at_least = 0, where = "proposition 6",
            quote = k == 1 and [[\geq{\mathsf{Gap}}(\mathbb{P}_{\mathsf{Gibbs}})\times\inf_{\omega_{1}}]] or
              [[\geq t^{-1}\left({\mathsf{Gap}}(\mathbb{P}_{\mathsf{Gibbs}})-\alpha_{t}\right)]],
            paper = k == 1 and "Gap(MwG) >= Gap(Gibbs) inf Gap(MHG, omega_1)" or "Gap(MwG) >= (Gap(Gibbs) - alpha_t) / t" })
  end
end

-- Two states that always swap; omega_2 rejects 0.4 of the moves.
local function flip()
  return cs.theory { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } },
                     second = function(a, b) return a < b and { 0.7, 0.3 } or { 0.3, 0.7 } end }
end
claim("walk", "two states: 1 - |P| less the least E(P, f) / |f|^2",
      function() local t = flip() return t.absolute_gap.ideal - t.gap.ideal end,
      { near = 0, within = 1e-9, holds = false, quote = "is reversible, then ... =inf", where = "appendix B.7", paper = "1 - |P| = inf E(P, f) / |f|^2",
        note = "-2: P has the eigenvalue -1. It holds for 1 - lambda_2" })
claim("walk", "two states: 1 - |P| of ideal less that of auxiliary",
      function() local t = flip() return t.absolute_gap.ideal - t.absolute_gap.auxiliary end,
      { near = -0.8, within = 1e-9, note = "lemma 1 does not order 1 - |P|" })
claim("walk", "two states: 1 - lambda_2 of ideal less that of auxiliary",
      function() local t = flip() return t.gap.ideal - t.gap.auxiliary end, { near = 0.8, within = 1e-9 })

return cs.scenario {
  title  = "Three chains in order",
  shows  = "The exact cost of auxiliary variables: the chain, Metropolis within Gibbs, the ideal chain",
  source = "auxiliary, section 4 and appendix B.7",
  setting = "two rows on 60 points of a line, all sums enumerated; the paper has only proofs",

  target = line.target,
  chains = chains, seed = 17, start = { 1 },
  arms   = {
    { name = "walk", kernel = cs.kernel.random_walk { step = step } },
    { name = "poisson_mh", kernel = cs.kernel.poisson_mh { step = step, lambda = lambda } },
    { name = "poisson_mala", kernel = cs.kernel.poisson_mala { step = step, lambda = lambda } },
    { name = "poisson_barker", kernel = cs.kernel.poisson_barker { step = step, lambda = lambda } },
    { name = "tuna_mh", kernel = cs.kernel.tuna_mh { step = step, chi = chi } },
    { name = "tuna_sgld", kernel = cs.kernel.tuna_sgld { step = step, chi = chi, batch = 1 } },
  },
  budget = { steps = steps },
  warmup = 200,
  screen = { "lesson", { "trace", quantity = "x.1", arm = "tuna_sgld" }, "acceptance", { "rows", arm = "tuna_sgld" }, "summary" },
  claims = claims,
}
