-- More rows for the gradient: what they cost.
--
-- Tuna-SGLD looks at `batch` rows to know where to go, then at a Poisson number of
-- others to accept. The paper's figure 12 has batches of 20, 64 and 128: twenty are
-- "sufficient", more "bring additional computational cost". Here at steps of 0.001 and
-- 0.004, on what digits_3_5.lua samples; arms are named by batch and step.
--
-- Since their programs scale the sum of a batch to length 2, and the drift is N over the batch
-- times it, 128 rows do not only cost more: they go 6.4 times less far along their
-- gradient than twenty, which is but a little better. After 360,000 rows the mean of a chain
-- finds 0.77 of the images held out with twenty, 0.66 with 128, at a step of 0.001;
-- at 0.004, where the second minibatch is 346 rows anyway, 0.84 and 0.78.
local cs = require "chainscope"
local kmnist = require "digits.kmnist"

local arms, claims = {}, {}
for _, step in ipairs { 10, 40 } do
  for _, batch in ipairs { 20, 64, 128 } do
    arms[#arms + 1] = { name = ("rows_%d_step_%d"):format(batch, step), kernel = cs.kernel.tuna_sgld {
      step = step * 1e-4, chi = 1e-5, batch = batch, gradient_length = 2 } }
  end
end
local paper = { "using size=64/128 will bring additional computational cost", "appendix G.4" }
for _, pair in ipairs {
  { "64_step_10", "20_step_10", "-0.06 +- 0.01" }, { "128_step_10", "20_step_10", "-0.12 +- 0.02" },
  { "64_step_40", "20_step_40", "-0.03 +- 0.01" }, { "128_step_40", "20_step_40", "-0.06 +- 0.01" },
} do
  claims[#claims + 1] = { "rows_" .. pair[1], "rows_" .. pair[2], paper, behind = true, note = pair[3] }
end
claims = kmnist.ahead(claims)
for _, step in ipairs { 10, 40 } do
  claims[#claims + 1] = { arm = "rows_128_step_" .. step, stat = "rows_drawn", less = "rows_20_step_" .. step,
                          near = 108, within = 12 }
end

return cs.scenario(kmnist.scenario {
  title  = "More rows for the gradient",
  shows  = "Tuna-SGLD needs no better a gradient than that of twenty rows",
  source = "auxiliary, appendix G.4, figure 12",
  classes = { 3, 5 }, images = "1601 images for 11,552",
  printed = require "paper.settings".digits_3_5,
  arms   = arms,
  screen = { "lesson", { "distance", of = "missed" }, { "rows", arm = "rows_20_step_10" }, "acceptance", "summary" },
  claims = claims,
})
