-- The binary networks of edlp on a table of data: what its scenarios share.
local cs = require "chainscope"

-- A network of 100 hidden units on each thin-th row of the table `name`, `without` some of its
-- columns; where the folder of data lacks it, on the table at random `stand_in`. Of the rows to
-- learn from the last hundredth is left out.
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
