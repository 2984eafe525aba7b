-- How much efficiency does a chain lose through its auxiliary variables?
--
-- Section 4 of the auxiliary paper compares a chain with auxiliary variables with two
-- idealised chains. `within` (Metropolis within Gibbs) has only the first auxiliary
-- variable, the rows that guide a proposal, and accepts by the exact ratio. `ideal`
-- averages the proposal over all choices of these rows. By lemma 1 each off-diagonal
-- entry of the transition matrix grows (or stays equal) from the chain to `within` to
-- `ideal`. Here all three are computed exactly on 60 points of a line. For Tuna-SGLD
-- (a minibatch kernel) the spectral gap is 0.025 for the chain, 0.037 for `within` and
-- 0.199 for `ideal`.
--
-- Watch `acceptance` and the trace: the chains of this run agree with the matrices.

-- For Tuna-SGLD the noise of the acceptance ratio costs a third of the gap, and the rows
-- whose gradient guides a proposal cost a factor of five. Try other values with
-- cs.theory.tuna_sgld { ... }; see cs.help "theory".

local cs = require "chainscope"
local line = require "on_a_grid.line"
local computed = require "on_a_grid.computed"

-- Two rows disagree here, at -2 and 2. A minibatch saves nothing, but all counts can be
-- enumerated. Tuna-SGLD is guided by one of the rows; the reverse move must be proposed
-- with the same row, which does not lead back. The ideal chain uses both rows.
-- Poisson-MALA has the same variable for both purposes, so it is its own `within`: its
-- gap is 0.082, and that of its ideal chain is 0.140. For Poisson-Barker these gaps are
-- 0.065 and 0.095. PoissonMH has no guide: its `within` is the ideal chain, the random
-- walk with the gap 0.112, and its own gap is 0.039.
--
-- Proposition 6 bounds the gap of `within` from below by that of the Gibbs sampler and
-- the worst step given omega_1. For Tuna-SGLD the bound is 0.011 and the gap 0.037. For
-- Poisson-MALA the bound is 0, since its steps do not move for very rare counts.
--
-- Appendix B.7 has an error. It calls 1 - |P| the gap, and then uses that the gap is the
-- least of E(P, f) / |f|^2. But this least value is 1 - lambda_2, which differs from 1 -
-- |P| if the most negative eigenvalue has the largest modulus. For two states that always
-- swap, 1 - |P| is 0 and 1 - lambda_2 is 2. Lemma 1 orders the chains by 1 - lambda_2. By
-- 1 - |P|, a chain with some rejections has the larger gap.
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

-- Proposition 6, on 20 points: the gaps of the Gibbs sampler and of the steps given
-- omega_1 give a lower bound on the gap of `within`.
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

-- A chain with two states that always moves to the other state, except that
-- omega_2 rejects 0.4 of the moves.
local function flip()
  return cs.theory { logp = { 0, 0 }, propose = { { 0, 1 }, { 1, 0 } },
                     second = function(a, b) return a < b and { 0.7, 0.3 } or { 0.3, 0.7 } end }
end
claim("walk", "two states: 1 - |P| less the least E(P, f) / |f|^2",
      function() local t = flip() return t.absolute_gap.ideal - t.gap.ideal end,
      { near = 0, within = 1e-9, holds = false, quote = "is reversible, then ... =inf", where = "appendix B.7", paper = "1 - |P| = inf E(P, f) / |f|^2",
        note = "-2, because P has the eigenvalue -1; lemma 1 holds for 1 - lambda_2" })
claim("walk", "two states: 1 - |P| of ideal less that of auxiliary",
      function() local t = flip() return t.absolute_gap.ideal - t.absolute_gap.auxiliary end,
      { near = -0.8, within = 1e-9, note = "lemma 1 does not order 1 - |P|" })
claim("walk", "two states: 1 - lambda_2 of ideal less that of auxiliary",
      function() local t = flip() return t.gap.ideal - t.gap.auxiliary end, { near = 0.8, within = 1e-9 })

return cs.scenario {
  title  = "The cost of auxiliary variables",
  shows  = "The exact cost of auxiliary variables, compared with Metropolis within Gibbs and the ideal chain",
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
