-- Are more rows for the gradient of Tuna-SGLD worth their cost?
--
-- Tuna-SGLD uses `batch` rows for the gradient, and then draws a Poisson number of rows
-- for the accept step. Figure 12 of the auxiliary paper has batches of 20, 64 and 128
-- rows. It finds that twenty are "sufficient", and that more "bring additional
-- computational cost". Here these batch sizes are run at steps of 0.001 and 0.004 on the
-- target of digits_3_5.lua. Arms are named by batch and step.
--
-- Watch `distance`, the share of held-out images that are misclassified by the mean of a
-- chain's draws. After 360,000 rows the share of correctly classified images is 0.77 for
-- a batch of 20 and 0.66 for a batch of 128 if the step is 0.001. If the step is 0.004,
-- it is 0.84 for a batch of 20 and 0.78 for a batch of 128.

-- The paper's programs scale the sum of the batch's gradients to length 2, and the drift
-- is N / batch times this vector. So with a batch of 128 rows a step costs more than with
-- 20 rows, and its drift is 6.4 times shorter; the direction is only slightly better.

local cs = require "chainscope"
local kmnist = require "digits.kmnist"

-- At a step of 0.004 the minibatch of the accept step has 346 rows.
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
  claims[#claims + 1] = { arm = "rows_128_step_" .. step, stat = "rows_drawn", less_than = "rows_20_step_" .. step,
                          near = 108, within = 12 }
end

return cs.scenario(kmnist.scenario {
  title  = "More rows for the gradient",
  shows  = "For Tuna-SGLD a gradient of twenty rows is good enough",
  source = "auxiliary, appendix G.4, figure 12",
  classes = { 3, 5 }, images = "1601 images instead of 11,552",
  printed = require "paper.settings".digits_3_5,
  arms   = arms,
  screen = { "lesson", { "distance", quantity = "missed" }, { "rows", arm = "rows_20_step_10" }, "acceptance", "summary" },
  claims = claims,
})
