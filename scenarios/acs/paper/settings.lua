-- The settings that the acs paper states, by section. The claims report where a run
-- differs from them.
return {
  -- Section 4.1 and appendix D.1: 25 modes on a lattice.
  modes = { target = { modes = 25, gap = 75, variance = 0.15 }, arms = { dmala = { step = 53 } } },
  uneven = { arms = { dmala = { step = 53 } } },
  -- Section 6.1 and appendix D.2, sampling Boltzmann machines: "500 hidden units and 784
  -- visible units", "at least 5000" steps, 11 seeds.
  rbm = { steps = 5000, seeds = 11, arms = { dmala = { step = 0.2 } } },
  sensitivity = { steps = 5000, seeds = 10 },
  -- Appendix D.3: sampling deep energies.
  energy = { steps = 5000, target = { rows = 28, cols = 28, channels = 64 }, arms = { dmala = { step = 0.2 } } },
  -- Appendix D.4: learning Boltzmann machines.
  learned_rbm = { target = { visible = 784, hidden = 500 }, learn = { updates = 2000, steps = 40 },
                  arms = { dmala = { step = 0.2 } } },
  -- Appendix D.5: learning deep energies.
  learned_energy = { target = { rows = 28, cols = 28, channels = 64, blocks = 8 }, learn = { updates = 50000, steps = 10 },
                     arms = { dmala = { step = 0.15 } } },
  learned_energy_caltech = { target = { rows = 28, cols = 28, channels = 64, blocks = 8 },
                             learn = { updates = 50000, steps = 30 }, arms = { dmala = { step = 0.15 } } },
  -- Appendix D.6, filling gaps in sentences: "25 separate chains for each example";
  -- the step of DMALA is 0.5.
  texts = { chains = 25, arms = { dmala = { step = 0.5 } } },
}
