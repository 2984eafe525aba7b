-- The binary networks of the edlp paper on a table of data. Several scenarios share this
-- module.
local cs = require "chainscope"

-- Returns a network of 100 hidden units. Its data are every thin-th row of the table
-- `name`, without the columns in the list `without`. If the data folder lacks the table,
-- random data of the size `stand_in` replace it. The last 1 % of the training rows is
-- left out.
return function(name, stand_in, thin, without)
  local function file(part) return ("bnn/%s-%s.csv.gz"):format(name, part) end
  local here = cs.has_data(file "train")
  return function()
    if here then
      return cs.target.binary_network { file = file "train", held_out = file "test", share = 0.99, thin = thin, hidden = 100,
                                        precision = "single", without = without }
    end
    return cs.target.binary_network { inputs = stand_in.inputs, rows = stand_in.rows, hidden = stand_in.hidden, precision = "single" }
  end
end
