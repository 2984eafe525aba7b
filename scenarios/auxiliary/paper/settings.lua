-- The settings stated in the auxiliary paper, by section. The claims report where a run
-- differs from them. The paper states only acceptances, so the step sizes are those of
-- the paper's programs.
local lambda = { poisson_mh = { lambda = 0.01 }, poisson_barker = { lambda = 0.01 }, poisson_mala = { lambda = 0.01 } }

return {
  -- Section 5.1: d = 20, N = 100,000, lambda = 0.0005 L^2, batches of 512 rows for SGLD.
  gaussian = { chains = 100, rows = 100000, target = { dim = 20 },
               arms = { poisson_mh = { lambda = 0.0005 }, poisson_barker = { lambda = 0.0005 },
                        poisson_mala = { lambda = 0.0005 } } },
  gaussian_with_sgld = { chains = 100, rows = 100000, target = { dim = 20 },
                         arms = { poisson_mh = { lambda = 0.0005 }, poisson_barker = { lambda = 0.0005 },
                                  poisson_mala = { lambda = 0.0005 }, sgld = { batch = 512 } } },
  gaussian_rates = { chains = 100, rows = 100000, target = { dim = 20 } },
  tight = { rows = 100000, target = { dim = 20 }, arms = { lambda = { lambda = 0.0005 } } },
  -- Section 5.2: d = 10, N = 100,000, beta = 0.0001, R = 15, lambda = 0.01 L^2, 10
  -- leapfrog steps.
  regression = { chains = 100, rows = 100000, target = { dim = 10, radius = 15 },
                 arms = { poisson_mh = lambda.poisson_mh, poisson_barker = lambda.poisson_barker,
                          poisson_mala = lambda.poisson_mala, hmc = { leapfrogs = 10 } } },
  regression_rates = { chains = 100, rows = 100000, target = { dim = 10, radius = 15 } },
  -- Appendix G.2, figure 5: 10 runs.
  leapfrogs = { chains = 10, rows = 100000, target = { dim = 10, radius = 15 } },
  -- Appendix G.2: N = 200,000; table 6 contains "HMC5".
  twice = { chains = 100, rows = 200000, target = { dim = 10, radius = 15 } },
  twice_with_hmc = { chains = 100, rows = 200000, target = { dim = 10, radius = 15 },
                     arms = { poisson_mh = lambda.poisson_mh, poisson_barker = lambda.poisson_barker,
                              poisson_mala = lambda.poisson_mala, hmc = { leapfrogs = 5 } } },
  -- Appendix G.3: d = 50, "the number of leapfrog steps in HMC is 5", 10 runs.
  wide = { chains = 10, rows = 100000, target = { dim = 50, radius = 15 },
           arms = { poisson_mh = lambda.poisson_mh, poisson_barker = lambda.poisson_barker,
                    poisson_mala = lambda.poisson_mala, hmc = { leapfrogs = 5 } } },
  wide_rows = { chains = 10, rows = 100000, target = { dim = 50, radius = 15 }, arms = lambda },
  wide_leapfrogs = { chains = 10, rows = 100000, target = { dim = 50, radius = 15 } },
  -- Section 5.3: 11,552 images of 3s and 5s, chi = 0.00001, batches of 20, 5 leapfrog
  -- steps.
  digits = { rows = 11552, arms = { tuna_mh = { chi = 1e-5 }, tuna_sgld = { chi = 1e-5, batch = 20 }, hmc = { leapfrogs = 5 } } },
  digits_3_5 = { rows = 11552 },
  -- Appendix G.5: 12,214 images of 7s and 9s.
  digits_7_9 = { rows = 12214, arms = { tuna_mh = { chi = 1e-5 }, tuna_sgld = { chi = 1e-5, batch = 20 }, hmc = { leapfrogs = 5 } } },
}
