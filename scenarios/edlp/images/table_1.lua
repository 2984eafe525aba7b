-- Table 1 of the edlp paper, cell by cell, for six samplers on clean, noisy and occluded
-- test images. The columns are MSE (mean square error), PSNR (peak signal-to-noise
-- ratio), SSIM (structural similarity) and the paper's "log-likelihood".
local table_1 = {}

-- The arms of digits.lua, each with its row in the paper's table.
local rows = {
  { "hamming", "HB-10-1 Clean 0.0253 ± 0.0005 16.3555 ± 0.0858 0.5303 ± 0.0014 -0.0134 ± 0.0009",
    "Noisy 0.0267 ± 0.0004 15.9763 ± 0.0697 0.3941 ± 0.0035 0.0165 ± 0.0011",
    "Occluded 0.0256 ± 0.0004 16.2720 ± 0.0749 0.4963 ± 0.0017 -0.0154 ± 0.0008" },
  { "gibbs", "BG-1 Clean 0.0257 ± 0.0007 16.2492 ± 0.1125 0.5294 ± 0.0025 -0.0157 ± 0.0014",
    "Noisy 0.0270 ± 0.0006 15.9086 ± 0.0885 0.3938 ± 0.0038 0.0144 ± 0.0013",
    "Occluded 0.0260 ± 0.0006 16.1613 ± 0.0992 0.4947 ± 0.0024 -0.0179 ± 0.0013" },
  { "dula", "DULA Clean 0.0268 ± 0.0006 16.1160 ± 0.1022 0.5114 ± 0.0030 -0.0209 ± 0.0015",
    "Noisy 0.0280 ± 0.0005 15.7851 ± 0.0815 0.3907 ± 0.0041 0.0097 ± 0.0013",
    "Occluded 0.0272 ± 0.0006 16.0187 ± 0.0922 0.4766 ± 0.0028 -0.0233 ± 0.0014" },
  { "dmala", "DMALA Clean 0.0256 ± 0.0004 16.3305 ± 0.0709 0.5291 ± 0.0035 -0.0156 ± 0.0011",
    "Noisy 0.0270 ± 0.0004 15.9547 ± 0.0623 0.3939 ± 0.0032 0.0148 ± 0.0009",
    "Occluded 0.0259 ± 0.0004 16.2372 ± 0.0632 0.4950 ± 0.0035 -0.0182 ± 0.0010" },
  { "edula", "EDULA Clean 0.0264 ± 0.0005 16.2135 ± 0.0877 0.5083 ± 0.0052 -0.0179 ± 0.0014",
    "Noisy 0.0276 ± 0.0004 15.8700 ± 0.0652 0.3968 ± 0.0030 0.0121 ± 0.0012",
    "Occluded 0.0268 ± 0.0005 16.1115 ± 0.0797 0.4743 ± 0.0051 -0.0206 ± 0.0014" },
  { "edmala", "EDMALA Clean 0.0251 ± 0.0005 16.3974 ± 0.0975 0.5368 ± 0.0016 -0.0117 ± 0.0009",
    "Noisy 0.0266 ± 0.0004 15.9938 ± 0.0727 0.3933 ± 0.0029 0.0177 ± 0.0012",
    "Occluded 0.0255 ± 0.0005 16.3022 ± 0.0839 0.5019 ± 0.0017 -0.0141 ± 0.0007" },
}
local corruptions = { "not", "noise", "square" }
local suffix = { "", ", noisy", ", occluded" }
local metrics = { "mse", "psnr", "ssim", "lift" }

-- Returns a claim for each of the 72 cells of the table. The claims are checked only if
-- the file `data` exists. image(metric, corruption) returns the measure for a cell.
function table_1.cells(data, image)
  local list = {}
  for _, row in ipairs(rows) do
    for i, corruption in ipairs(corruptions) do
      local text, numbers = row[1 + i], {}
      for mean, spread in text:gmatch "(%-?[%d.]+) ± ([%d.]+)" do numbers[#numbers + 1] = { tonumber(mean), tonumber(spread) } end
      for k, metric in ipairs(metrics) do
        local mean, spread = table.unpack(numbers[k])
        list[#list + 1] = {
          arm = row[1], stat = metric .. suffix[i], measure = image(metric, corruption), near = mean, within = 2 * spread,
          only = "full", data = data, holds = "cannot tell", quote = text, where = "table 1",
          paper = ("%s, within twice its spread"):format(metric == "lift" and "\"log-likelihood\"" or metric),
          note = "autoencoders with one dense layer instead of convolutions; not measured, since users must supply MNIST's test images",
        }
      end
    end
  end
  return list
end

return table_1
