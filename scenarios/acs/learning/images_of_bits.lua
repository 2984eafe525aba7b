-- Binary images of 28 x 28 pixels, or of 14 x 14 pixels. A pixel of the smaller images is
-- 1 if the mean of 2 x 2 original pixels is at least 1/2. The scenarios of energy
-- networks use these images as data.
local cs = require "chainscope"
local bits = {}

-- Returns the first n images of an IDX file. An image has 28 x 28 bytes, either grey
-- values from 0 to 255 or bits (0 and 1).
local function of_images(path, n, size)
  local list, largest = cs.read_idx(path, 28 // size, n), 0
  for _, image in ipairs(list) do largest = math.max(largest, table.unpack(image)) end
  local half = largest > 1 and 127.5 or 0.5
  for _, image in ipairs(list) do
    for k, mean in ipairs(image) do image[k] = mean >= half and 1 or 0 end
  end
  return list
end

-- Returns rows first .. last of the draws from a Boltzmann machine of digits that come
-- with the program.
local function of_draws(first, last, size)
  local columns, names = cs.read_table "digits_cd_draws.csv.gz"
  local list, wide = {}, 28 // size
  local function pooled(i, r, c)
    local sum = 0
    for k = 0, wide * wide - 1 do
      sum = sum + columns[names[28 * (wide * r + k // wide) + wide * c + k % wide + 1]][i]
    end
    return sum >= wide * wide / 2 and 1 or 0
  end
  for i = first, last do
    local state = {}
    for k = 0, size * size - 1 do state[k + 1] = pooled(i, k // size, k % size) end
    list[#list + 1] = state
  end
  return list
end

-- Returns training and test data: n images of the data set `name`. If there is no name
-- or the data folder lacks the images, returns draws from a Boltzmann machine of digits.
-- `size` is 14 or 28. `states` are the training images as states; `learn` and `test` are
-- the arguments of a learner.
function bits.data(name, n, size)
  local function file(part) return ("images/%s-%s-images-idx3-ubyte.gz"):format(name, part) end
  if name and cs.has_data(file "train") and cs.has_data(file "test") then
    local pool = 28 // size
    return { file = file "train", states = of_images(file "train", n, size),
             learn = { images = file "train", count = n, pool = pool },
             test = { images = file "test", count = 500, pool = pool } }
  end
  local states = of_draws(1, 400, size)
  return { file = name and file "train", states = states, learn = states, test = of_draws(401, 500, size) }
end

-- Returns the means of the pixels, kept away from 0 and 1 as in the acs paper.
function bits.means(list)
  local mean = {}
  for i = 1, #list[1] do
    local sum = 0
    for _, state in ipairs(list) do sum = sum + state[i] end
    mean[i] = 0.01 + 0.98 * sum / #list
  end
  return mean
end

return bits
