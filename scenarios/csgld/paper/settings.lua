-- The settings stated in the csgld paper, by section. The claims report where a run
-- differs from them. The paper does not state where the first bin ends. Gains are
-- schedules over steps. Scenarios use the gains of the paper unless they say otherwise.

-- Section 4.1: "10^7 iterations", "the learning rate 0.1", "50 subregions" of width 1,
-- noises "following N(0,0.01)", 10 runs. `contours`: arms of the scenario that are the
-- paper's sampler with zeta = 0.75; `others`: arms without bins, or with another zeta.
local function mixture(contours, others)
  local arms = {}
  for _, name in ipairs(contours) do
    arms[name] = { rate = 0.1, temperature = 1, gradient_noise = 0.1, bins = 50, width = 1, zeta = 0.75 }
  end
  for _, name in ipairs(others or {}) do arms[name] = { rate = 0.1, temperature = 1, gradient_noise = 0.1 } end
  return { steps = 1e7, chains = 10, arms = arms }
end

-- Section 4.2: "the mini-batch size n=50", "5,000 epochs", "learning rate was set to
-- 5e-6", regularization of 1e-4, "the energy bandwidth 100", 10 runs; temperature and
-- zeta of table 1.
local function uci(epoch, temperature, zeta)
  local plain = { rate = 5e-6, batch = 50 }
  local hot = { rate = 5e-6, batch = 50, temperature = temperature }
  local contour = { rate = 5e-6, batch = 50, temperature = temperature, zeta = zeta, width = 100 }
  return {
    steps = 5000 * epoch, seeds = 10,
    arms = { sgd = plain, momentum_sgd = plain, sgld = hot, sghmc = hot, csgld = contour, csghmc = contour },
  }
end

-- Section 4.3 and appendix D.4: 50,000 images, batches of 1000, 1000 epochs, a rate of
-- 2e-7, a temperature of 0.01, 200 subregions of width 1000, rho = 1, zeta = 1e6, 10
-- runs.
local fixed = { rate = 2e-7, batch = 1000 }
local function cooled(more)
  local all = { batch = 1000, temperature = 0.01 }
  for name, value in next, more or {} do all[name] = value end
  return all
end

return {
  figure_1 = mixture({ "contour", "forward" }, { "flat" }),
  figure_1c = mixture({ "known", "contour", "by_energy" }, { "sgld" }),
  figure_2 = mixture({ "contour", "by_energy", "forward" }, { "sgld" }),
  algorithm_1 = mixture { "printed", "forward", "last", "clamp" },
  -- Appendix D.2: the weights 1/6 and 5/6; the rest as in section 4.1.
  peaks = mixture({ "wide" }, { "sgld" }),
  bins = mixture { "at_1.5", "at_1.75", "at_2", "at_3" },
  -- Appendix D.3: "the energy and gradient follow the Gaussian distribution with a
  -- variance of 0.1", 200,000 iterations, a rate of 0.001, a temperature of 3 for reSGLD,
  -- 100 partitions of 0.25, zeta 0.75.
  nine_modes = {
    chains = 1,
    arms = {
      sgld = { rate = 1e-3, temperature = 1, gradient_noise = math.sqrt(0.1) },
      cyclical = { temperature = 1, gradient_noise = math.sqrt(0.1) },
      replicas = { rate = 1e-3, hottest = 3, gradient_noise = math.sqrt(0.1), energy_noise = math.sqrt(0.1) },
      contour = { rate = 1e-3, temperature = 1, bins = 100, width = 0.25, zeta = 0.75,
                  gradient_noise = math.sqrt(0.1), energy_noise = math.sqrt(0.1) },
    },
  },
  uci = uci,
  cifar_10 = {
    chains = 10, rows = 50000,
    arms = {
      momentum_sgd = fixed, sghmc = cooled { rate = 2e-7 }, sa_momentum_sgd = { batch = 1000 }, sa_sghmc = { batch = 1000 },
      csghmc = cooled { rate = 2e-7, bins = 200, width = 1000, zeta = 1e6, rho = 1 },
      sa_csghmc = { batch = 1000, bins = 200, width = 1000, zeta = 1e6, rho = 1 },
    },
  },
  -- Appendix D.4, for the arm that uses Eq. 57.
  high_zeta = { arms = { extra = { temperature = 0.01, width = 1000, bins = 200, zeta = 1e6, rho = 1 } } },
}
