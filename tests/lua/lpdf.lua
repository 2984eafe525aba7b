-- Compares cs.lpdf with the textbook densities, including constants, computed
-- to 60 digits with mpmath 1.3. The slopes were computed to the same precision,
-- by central differences of fourth-order accuracy. A row has the name, the
-- arguments, the value, and the slope in the last argument.
local cs = require "chainscope"
local M, lpdf = cs.math, cs.lpdf
local values = {
  { "normal", { 1.5, -2, 3 }, -2.698106377428338, { -0.3888888888889, 0.3888888888889, 0.1203703703704 } },
  { "normal", { 10000000000.0, 0, 1 }, -5.0e+19, { -10000000000.0, 10000000000.0, 1.0e+20 } },
  { "normal", { 3, 3, 1e-100 }, 229.3395707661999, { 0.0, 0.0, -1.0e+100 } },
  { "normal", { -1e-08, 0, 100000000.0 }, -19.339619277157038, { 1.0e-24, -1.0e-24, -1.0e-8 } },
  { "half_normal", { 0.5, 2 }, -0.95018853320467274, { -0.125, -0.46875 } },
  { "half_normal", { 40, 1 }, -800.22579135264473, { -40.0, 1599.0 } },
  { "student_t", { 0.5, 3, -1, 2 }, -2.0377365440367735, { -0.4210526315789, 0.04581854332469, 0.4210526315789, -0.1842105263158 } },
  { "student_t", { 100000000.0, 1, 0, 1 }, -37.986091373754131, { -2.0e-8, -17.22753356339, 2.0e-8, 1.0 } },
  { "student_t", { 1.25, 10000000000.0, 0, 1 }, -1.7001885332467626, { -1.24999999993, 4.208984375051e-21, 1.24999999993, 0.5624999999121 } },
  { "student_t", { 3, 0.1, 2, 5 }, -3.7044183839440495, { -0.3142857142857, 5.784135323447, 0.3142857142857, -0.1371428571429 } },
  { "student_t", { 2, 1000000.0, 1, 0.5 }, -2.2257896026513941, { -3.999988000048, -1.749986666731e-12, 3.999988000048, 5.999976000096 } },
  { "half_student_t", { 0.5, 3, 2 }, -1.0421274240289811, { -0.1632653061224, 0.02977631246878, -0.4591836734694 } },
  { "half_student_t", { 100000.0, 4, 1 }, -54.386573495503196, { -4.999999998e-5, -10.17959213209, 3.999999998 } },
  { "cauchy", { 0.5, 1, 2 }, -1.8985016882257803, { 0.2352941176471, -0.2352941176471, -0.4411764705882 } },
  { "cauchy", { 1e+100, 0, 1 }, -461.66174848465854, { -2.0e-100, 0.0, 1.0 } },
  { "cauchy", { 1e-09, 0, 1 }, -1.1447298858494002, { -2.0e-9, 2.0e-9, -1.0 } },
  { "half_cauchy", { 0.5, 2 }, -1.205354507665835, { -0.2352941176471, -0.4411764705882 } },
  { "half_cauchy", { 1e+20, 3 }, -91.456374136383173, { -2.0e-20, 0.3333333333333 } },
  { "laplace", { 0.5, 1, 2 }, -1.6362943611198906, { 0.5, -0.5, -0.375 } },
  { "laplace", { 900, -100, 0.5 }, -2000.0, { -2.0, 2.0, 3998.0 } },
  { "logistic", { 0.5, 1, 2 }, -2.0950260203176324, { 0.0621765008858, -0.0621765008858, -0.4844558747786 } },
  { "logistic", { 800, 0, 1 }, -800.0, { -1.0, 1.0, 799.0 } },
  { "logistic", { -800, 0, 1 }, -800.0, { 1.0, -1.0, 799.0 } },
  { "logistic", { 3, 2.5, 0.01 }, -45.394829814011908, { -100.0, 100.0, 4900.0 } },
  { "gamma", { 0.5, 2, 3 }, 0.0040773967762740734, { -1.0, -0.0173192269903, 0.1666666666667 } },
  { "gamma", { 1e-200, 0.5, 1 }, 229.68614435647987, { -5.0e+199, -458.5535085728, 0.5 } },
  { "gamma", { 120, 100, 0.75 }, -3.9407300793309381, { 0.075, -0.1003521824078, 13.33333333333 } },
  { "gamma", { 3, 1e-05, 2 }, -18.611514063969243, { -2.33333, 100002.3689587, -2.999995 } },
  { "gamma", { 2.555339859052946, 1500.0, 600.0 }, 1.437265707008651, { -13.38527057784, 0.02222787054773, -0.05533985905295 } },
  { "gamma", { 99272.67613816127, 100000.0, 1.0 }, -9.3259977953494921, { 0.007316452926361, -0.007294817565193, 727.3238618387 } },
  { "gamma", { 2.49425, 1500000.0, 600000.0 }, 1.3039671480810084, { 1382.780394908, -0.002302315729305, 0.00575 } },
  { "gamma", { 2.4981816903454033, 15000000.0, 6000000.0 }, 2.4578538757601232, { 4366.719190097, -0.0007275551568264, 0.001818309654597 } },
  { "inverse_gamma", { 0.5, 2, 3 }, -1.7233338809839447, { 6.0, 1.36897513413, -1.333333333333 } },
  { "inverse_gamma", { 0.01, 3, 0.25 }, -11.431349519967251, { 2100.0, 2.29609148977, -88.0 } },
  { "inverse_gamma", { 1e+50, 0.5, 2 }, -172.91967332719815, { -1.5e-50, -112.4725974431, 0.25 } },
  { "inverse_gamma", { 3.006640783086353, 100000.0, 300000.0 }, 3.492421240291089, { -73.7934906376, -0.00220614796333, 0.000736235061591 } },
  { "inverse_gamma", { 2.9931, 1000000.0, 3000000.0 }, 2.2393746498160358, { 769.8714359856, 0.002303149062759, -0.0007684340650162 } },
  { "inverse_gamma", { 3.00021, 100000000.0, 300000000.0 }, 6.9477424165859025, { -2333.340010966, -6.999255011433e-05, 2.333170011433e-05 } },
  { "weibull", { 0.5, 2, 3 }, -2.2250023551139972, { 1.888888888889, -1.241988372861, -0.6481481481481 } },
  { "weibull", { 5, 0.3, 0.001 }, -13.131585694787402, { -0.9123999761271, -97.79413710392, 3561.999880636 } },
  { "weibull", { 1.5, 40, 1.6 }, 0.62621616260808704, { 23.98247098947, -0.03465570843663, -23.10856655263 } },
  { "exponential", { 0.5, 2 }, -0.30685281944005469, { -2.0, -3.98661916238e-49 } },
  { "exponential", { 100000.0, 3 }, -299998.90138771133, { -3.0, -99999.66666667 } },
  { "lognormal", { 0.5, 2, 3 }, -1.727350404432725, { -1.401522848764, -0.2992385756178, -0.06470215792007 } },
  { "lognormal", { 1e-300, 0, 5 }, -8855.1694474085415, { 2.663102111593e+301, -27.63102111593, 3817.166639544 } },
  { "lognormal", { 1e+200, 1, 2 }, -26856.615402054862, { -1.158792546497e-198, 114.8792546497, 26393.98629774 } },
  { "beta", { 0.3, 2, 3.5 }, 0.66118020109887513, { -0.2380952380952, -0.01566399084265, 0.1512615639978 } },
  { "beta", { 1e-200, 0.5, 2 }, 229.97082722695279, { -5.0e+199, -457.8503519321, 0.2803723055468 } },
  { "beta", { 0.999999, 3, 0.25 }, 9.3162631443013414, { 750001.9999804, 0.09420557596921, -8.571066113491 } },
  { "beta", { 0.25, 0.5, 100000.0 }, -28762.042319385521, { -133334.0, 12.09014112988, -0.2876770724393 } },
  { "beta", { 0.5, 80, 90 }, 2.044609873767389, { -20.0, 0.06394358247938, -0.05453663031251 } },
  { "beta", { 0.2508854377448472, 100000.0, 300000.0 }, 5.5303501230267038, { -1887.143107812, 0.003539243757216, -0.00118086443059 } },
  { "beta", { 0.2470907045526451, 100000.0, 300000.0 }, -2.6999487605490158, { 6252.589855316, -0.01170167372753, 0.003871973107779 } },
  { "beta", { 0.25028, 1000000.0, 3000000.0 }, 6.6823552833117281, { -5971.5407598, 0.001119748267994, -0.0003733613729012 } },
  { "beta", { 0.24908, 1000000.0, 3000000.0 }, -1.5216676535893077, { 19672.34180213, -0.003686412857917, 0.001225956592476 } },
  { "uniform", { 0.3, -1, 4 }, -1.6094379124341004, { 0.0, 0.2, -0.2 } },
  { "poisson", { 3, 2.5 }, -1.5428872736055898, { 0.2 } },
  { "poisson", { 0, 1e-05 }, -1.0000000000000001e-5, { -1.0 } },
  { "poisson", { 0, 30 }, -30.0, { -1.0 } },
  { "poisson", { 1000000, 1000300.5 }, -7.8718349774831453, { -0.0003004097268771 } },
  { "poisson", { 1000000000, 1000010000 }, -11.330571118430378, { -9.999900001e-6 } },
  { "poisson", { 40, 1e-08 }, -847.14786948285201, { 3999999999.0 } },
  { "poisson", { 2000, 5 }, -9992.648525645606, { 399.0 } },
  { "poisson_log", { 3, 0.5 }, -1.9404807399281831, { 1.3512787293 } },
  { "poisson_log", { 0, -40 }, -4.248354255291589e-18, { -4.248354255292e-18 } },
  { "poisson_log", { 5, -300 }, -1504.787491742782, { 5.0 } },
  { "poisson_log", { 1000000, 13.8156 }, -7.8306939536544206, { -89.44603578391 } },
  { "poisson_log", { 2000, -3 }, -19206.574137582175, { 1999.950212932 } },
  { "neg_binomial", { 3, 2, 0.7 }, -2.4698168683096589, { 0.1296296296296, 0.6668800057401 } },
  { "neg_binomial", { 0, 5, 0.001 }, -0.0085173931714189038, { -0.0001999600079984, -7.517593131427 } },
  { "neg_binomial", { 12, 10, 10000000.0 }, -2.3561937797332013, { 0.1999998000002, 3.999997266668e-14 } },
  { "neg_binomial", { 1000, 900, 30 }, -6.3107903537455601, { 0.003584229390681, 0.01087634688972 } },
  { "neg_binomial", { 3, 1e-06, 2 }, -42.139681354452143, { 2999997.500001, -0.4166659166672 } },
  { "neg_binomial", { 1022.0, 1000.5, 1000000.0 }, -4.613430612991956, { 0.02146777686156, 2.798185520551e-10 } },
  { "neg_binomial", { 99273.0, 100000.0, 200000.0 }, -8.6407516861996427, { -0.004846666666667, -2.111738785569e-06 } },
  { "neg_binomial", { 997700.0, 1000000.0, 2000000.0 }, -9.7930297594225166, { -0.001533333333333, -2.108337161118e-07 } },
  { "neg_binomial", { 9992727.0, 10000000.0, 20000000.0 }, -10.944021717070026, { -0.0004848666666667, -2.106241909152e-08 } },
  { "neg_binomial", { 23333333.0, 100000000.0, 7.5 }, -22.052638858677945, { -5.74999959375e-08, -0.6204748730964 } },
  { "binomial", { 3, 10, 0.2 }, -1.6028268537197234, { 6.25 } },
  { "binomial", { 0, 10, 0.25 }, -2.8768207245178093, { -13.33333333333 } },
  { "binomial", { 10, 10, 0.5 }, -6.9314718055994531, { 20.0 } },
  { "binomial", { 500000, 1000000, 0.5005 }, -7.633547131626921, { -2000.002000002 } },
  { "binomial", { 2, 1000000, 3e-06 }, -1.495922103224226, { -333334.3333363 } },
  { "binomial", { 0, 5000, 0.0001 }, -0.5000250016667917, { -5000.500050005 } },
  { "binomial", { 5000, 5000, 0.999 }, -5.0025016679176719, { 5005.005005005 } },
  { "binomial_logit", { 3, 10, -1 }, -1.3451251324001823, { 0.3105857863 } },
  { "binomial_logit", { 0, 10, -800 }, -3.6678745841776872e-347, { -3.667874584178e-347 } },
  { "binomial_logit", { 10, 10, 50 }, -1.9287498479639178e-21, { 1.928749847964e-21 } },
  { "binomial_logit", { 500000, 1000000, 0.001 }, -7.2585468764185315, { -249.9999791667 } },
  { "binomial_logit", { 1200, 4000, -40 }, -45560.828509632564, { 1200.0 } },
  { "beta_binomial", { 3, 10, 2, 3.5 }, -1.8739033333102163, { -0.01380876067528, 0.1027022996438 } },
  { "beta_binomial", { 0, 10, 0.5, 0.001 }, -7.4756239730278361, { -4.261684568283, 998.5657451134 } },
  { "beta_binomial", { 7, 20, 1e+15, 1e+15 }, -2.6046523646342543, { -3.0e-15, 3.0e-15 } },
  { "beta_binomial", { 7, 20, 1e+15, 2e+15 }, -1.7030411795182603, { 3.333333333333e-16, -1.666666666667e-16 } },
  { "beta_binomial", { 5, 10, 100000000.0, 300000000.0 }, -2.8404530595136019, { 2.499999928125e-8, -8.333333163194e-9 } },
  { "beta_binomial", { 200, 1000, 50, 170 }, -4.6808385762568195, { -0.09737323724994, 0.02908299357583 } },
  { "beta_binomial", { 500000, 1000000, 0.5, 0.5 }, -14.267093763253729, { 0.6931466805602, 0.6931466805602 } },
  { "bernoulli", { 1, 0.3 }, -1.203972804325936, { 3.333333333333 } },
  { "bernoulli", { 0, 0.3 }, -0.35667494393873236, { -1.428571428571 } },
  { "bernoulli", { 1, 1e-300 }, -690.77552789821371, { 1.0e+300 } },
  { "bernoulli", { 0, 1e-20 }, -9.9999999999999995e-21, { -1.0 } },
  { "bernoulli_logit", { 1, 0.3 }, -0.55435524446852712, { 0.4255574831883 } },
  { "bernoulli_logit", { 0, 0.3 }, -0.85435524446852711, { -0.5744425168117 } },
  { "bernoulli_logit", { 1, -800 }, -800.0, { 1.0 } },
  { "bernoulli_logit", { 0, -45 }, -2.8625185805493936e-20, { -2.862518580549e-20 } },
  { "bernoulli_logit", { 1, 45 }, -2.8625185805493936e-20, { 2.862518580549e-20 } },
}

-- The terms of a sum may be much larger than the sum. `scale`, the size of the
-- terms, allows for rounding errors that are large compared with the sum.
local function near(got, want, tolerance, scale, where)
  assert(got == want or math.abs(got - want) <= tolerance * (math.abs(want) + scale),
         ("%s: %.17g, not %.17g"):format(where, got, want))
end

for _, row in ipairs(values) do
  local name, given, value, slopes = table.unpack(row)
  local where = ("%s(%s)"):format(name, table.concat(given, ", "))
  local fixed, dim = #given - #slopes, #slopes
  near(lpdf[name](table.unpack(given)), value, 1e-12, 1e-3, where)
  near(lpdf.each[name](table.unpack(given)), value, 1e-12, 1e-3, where)
  local lists = {}
  for i = 1, #given do lists[i] = { given[i], given[i] } end
  near(lpdf[name](table.unpack(lists)), 2 * value, 1e-12, 1e-3, where .. " twice")
  local made = cs.target { space = cs.real(dim), log_density = function(x)
    local all = { table.unpack(given, 1, fixed) }
    for i = 1, dim do all[fixed + i] = x[i] end
    return lpdf[name](table.unpack(all))
  end }
  local at = { table.unpack(given, fixed + 1) }
  near(made:log_density(at), value, 1e-12, 1e-3, "traced " .. where)
  local slope = made:gradient(at)
  for i = 1, dim do
    near(slope[i], slopes[i], 1e-9, 1e-12, ("slope %d of %s"):format(i, where))
  end
end

-- ---- outside the support ----
local huge = math.huge
for _, row in ipairs {
  { "normal", 1, 0, -1 }, { "half_normal", -1, 1 }, { "gamma", -1, 1, 1 }, { "gamma", 1, 0, 1 },
  { "inverse_gamma", 0, 1, 1 }, { "beta", 1.5, 2, 2 }, { "beta", 0.5, -2, 2 },
  { "exponential", -1, 1 }, { "lognormal", -1, 0, 1 }, { "uniform", 2, 0, 1 },
  { "uniform", 0.5, 1, 0 }, { "poisson", -1, 2 }, { "poisson", 1, -2 }, { "binomial", 3, 2, 0.5 },
  { "binomial", 1, 2, 1.5 }, { "beta_binomial", 3, 2, 1, 1 }, { "beta_binomial", 1, 2, 0, 1 }, { "bernoulli", 2, 0.5 }, { "bernoulli", 1, -0.1 },
  { "neg_binomial", 1, -1, 1 }, { "student_t", 0, -1, 0, 1 }, { "weibull", -1, 1, 1 },
  { "categorical", 1, { -0.5, 1.5 } }, { "dirichlet", { -0.1, 1.1 }, { 1, 1 } },
  { "multi_normal_cholesky", { 0, 0 }, { 0, 0 }, { { 1, 0 }, { 0, -1 } } },
  { "lkj_cholesky", { { 1, 0 }, { 0, -1 } }, 1 }, { "cauchy", 0, 0, -1 }, { "laplace", 0, 0, -1 },
  { "logistic", 0, 0, -1 }, { "half_cauchy", -1, 1 }, { "half_student_t", -1, 1, 1 },
} do
  assert(lpdf[row[1]](table.unpack(row, 2)) == -huge, row[1] .. " has no edge")
end
assert(lpdf.bernoulli({ 1, 0 }, { 1, 0 }) == 0)
near(lpdf.binomial(0, 5, 0), 0, 1e-15, 1, "binomial of 0")
-- At the ends of the support the values are those of R and SciPy.
for _, row in ipairs {
  { "poisson", 0, { 0, 0 } }, { "poisson", -huge, { 1, 0 } }, { "poisson", -huge, { 2000, 0 } },
  { "gamma", 0, { 0, 1, 1 } }, { "gamma", math.log(3), { 0, 1, 3 } }, { "gamma", -huge, { 0, 2, 1 } },
  { "gamma", -huge, { 0, 2000, 1 } }, { "weibull", 0, { 0, 1, 1 } }, { "weibull", -huge, { 0, 2, 1 } },
  { "weibull", -math.log(4), { 0, 1, 4 } }, { "beta", 0, { 0, 1, 1 } }, { "beta", 0, { 1, 1, 1 } },
  { "beta", math.log(3), { 0, 1, 3 } }, { "beta", -huge, { 1, 1, 3 } }, { "beta", -huge, { 0, 2000, 1 } },
  { "exponential", 0, { 0, 1 } }, { "poisson", -huge, { 2.5, 3 } }, { "binomial", -huge, { 1.5, 3, 0.5 } },
  { "bernoulli", -huge, { 0.5, 0.3 } }, { "neg_binomial", -huge, { 0.5, 3, 1 } } } do
  local u = lpdf[row[1]](table.unpack(row[3]))
  assert(u == row[2] or math.abs(u - row[2]) < 1e-13, row[1] .. " of " .. row[3][1] .. ": " .. u)
end
assert(lpdf.each.poisson({ 1, 2.5 }, 3)[1] > -huge and lpdf.each.poisson({ 1, 2.5 }, 3)[2] == -huge)
-- If a parameter is at the end of its range, the traced density has the same
-- value as the density of numbers.
local function traced(f) return cs.target { space = cs.real(1), log_density = function(x) return f(M.exp(x[1])) end } end
for name, rest in pairs { gamma = { 2 }, weibull = { 2 }, beta = { 2 } } do
  for _, shape in ipairs { 1, 2 } do
    local function f(a) return lpdf[name]({ 0, 0.5 }, a, table.unpack(rest)) end
    local u, plain = traced(f):log_density { math.log(shape) }, f(shape)
    assert(u == plain or math.abs(u - plain) < 1e-12, ("%s of shape %g: %.12g, %.12g"):format(name, shape, u, plain))
  end
end
-- In rows of data, values that are not valid counts are refused.
local function of_rows(y, density)
  return cs.target { params = { a = cs.positive() }, data = { y = y }, prior = function(p) return -p.a end,
    term = function(p, row) return density(row.y, p.a) end }
end
of_rows({ 1, 2, 0 }, lpdf.poisson)
local good, why = pcall(of_rows, { 1, 2, 2.5 }, lpdf.poisson)
assert(not good and tostring(why):find("y = 2.5 in row 3 of the data: y must be a whole number", 1, true), tostring(why))
good, why = pcall(of_rows, { 1, 0, 2 }, function(y, a) return lpdf.bernoulli_logit(y, a) end)
assert(not good and tostring(why):find("y = 2 in row 3 of the data: y must be 0 or 1", 1, true), tostring(why))
-- If a chain reaches the end of the support, the log density is -inf, and the
-- slope of the branch that is not used is 0.
local edge = cs.target { space = cs.real(2), log_density = function(x)
  return lpdf.gamma(x[1], 2, 3) + lpdf.normal(x[2], 0, 1)
end }
assert(edge:log_density { -1, 2 } == -huge and edge:gradient { -1, 2 }[2] == -2)

-- ---- vectors and matrices ----
near(lpdf.categorical({ 1, 3 }, { 0.2, 0.3, 0.5 }), math.log(0.1), 1e-14, 0, "categorical")
near(lpdf.categorical_logit(2, { 0, 1000, 999 }), -math.log(1 + math.exp(-1)), 1e-13, 0, "logit")
near(lpdf.dirichlet({ 0.2, 0.3, 0.5 }, { 1, 2, 3 }), math.log(60 * 0.3 * 0.25), 1e-13, 0, "dirichlet")
near(lpdf.dirichlet({ 0.2, 0.3, 0.5 }, 1), math.log(2), 1e-13, 0, "dirichlet of a number")
near(lpdf.dirichlet({ 0.2, 0.3, 0.5 }, { 2e7, 3e7, 5e7 }), 18.336082618425233, 1e-12, 0, "dirichlet, narrow")
-- The covariance matrix is { { 4, 2 }, { 2, 10 } } with determinant 36. The
-- expected value is computed from its inverse.
near(lpdf.multi_normal_cholesky({ 1, -2 }, { 0.5, 1 }, { { 2, 0 }, { 1, 3 } }),
     -math.log(2 * math.pi) - math.log(6) - 0.5 * (10 * 0.25 + 2 * 2 * 1.5 + 4 * 9) / 36, 1e-13, 0, "normal")
near(lpdf.multi_normal_cholesky({ { 1, -2 }, { 1, -2 } }, { 0.5, 1 }, { { 2, 0 }, { 1, 3 } }),
     2 * lpdf.multi_normal_cholesky({ 1, -2 }, { 0.5, 1 }, { { 2, 0 }, { 1, 3 } }), 1e-14, 0, "rows")
-- For dimension two, (r + 1) / 2 has the distribution Beta(eta, eta). For
-- dimension three and eta = 1, the density of the correlation matrix is 2 /
-- pi^2, because the set of correlation matrices has the volume pi^2 / 2. The
-- entries of the factor have |d r / d l| = l22, so the log density of the
-- factor is log l22 plus a constant.
near(lpdf.lkj_cholesky({ { 1, 0 }, { 0.6, 0.8 } }, 2), math.log(0.75 * 0.64), 1e-13, 0, "lkj of two")
near(lpdf.lkj_cholesky({ { 1, 0 }, { 0.001, math.sqrt(1 - 1e-6) } }, 1e6), 5.3353907111177701, 1e-12, 0, "lkj, narrow")
local l = { { 1, 0, 0 }, { 0.6, 0.8, 0 }, { 0, 0.6, 0.8 } }
near(lpdf.lkj_cholesky(l, 1), -math.log(math.pi^2 / 2) + math.log(0.8), 1e-13, 0, "lkj of three")
near(lpdf.lkj_cholesky(l, 2) - lpdf.lkj_cholesky(l, 3) - (lpdf.lkj_cholesky({ { 1, 0, 0 }, { 0, 1, 0 },
     { 0, 0, 1 } }, 2) - lpdf.lkj_cholesky({ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, 3)),
     -math.log(0.64 * 0.64), 1e-12, 0, "lkj: |l l'|")

-- Evaluates a mixture entry by entry. Both ways of writing it give the same value.
local y = { -1, 0.5, 3 }
local mix = 0
for i = 1, 3 do
  mix = mix + math.log(0.3 * math.exp(lpdf.normal(y[i], -1, 1)) + 0.7 * math.exp(lpdf.normal(y[i], 2, 0.5)))
end
near(M.sum(M.log_sum_exp(math.log(0.3) + lpdf.each.normal(y, -1, 1),
                         math.log(0.7) + lpdf.each.normal(y, 2, 0.5))), mix, 1e-13, 0, "mixture")
near(lpdf.poisson({ 3, 2000 }, 7), lpdf.poisson(3, 7) + lpdf.poisson(2000, 7), 1e-13, 0, "poisson")
near(lpdf.binomial({ 0, 3, 2000 }, { 5, 5, 2000 }, 0.25),
     lpdf.binomial(0, 5, 0.25) + lpdf.binomial(3, 5, 0.25) + lpdf.binomial(2000, 2000, 0.25), 1e-12, 0, "binomial")

-- Known probabilities sum to 1, up to rounding at eight decimals.
local third = 0.33333333
near(lpdf.categorical(1, { third, third, third + 1e-8 }), math.log(third), 1e-14, 0, "rounded probabilities")
for _, log_p in ipairs { lpdf.categorical(1, { 0.5, 0.6 }), lpdf.multinomial({ 1, 2 }, { 0.5, 0.4 }), lpdf.dirichlet({ 0.3, 0.6 }, { 1, 2 }) } do
  assert(log_p == -math.huge, log_p)
end

-- With numbers, the index of a category must be valid too.
local known, unknown = pcall(lpdf.categorical, 1.5, { 0.2, 0.8 })
assert(not known and tostring(unknown):find("y must be the index of a category", 1, true), tostring(unknown))

-- ---- mistakes ----
local function refused(f, said)
  local ok, why = pcall(cs.target, { space = cs.real(2), log_density = f })
  assert(not ok and tostring(why):find "lpdf%.lua:%d+: " and tostring(why):find(said, 1, true), tostring(why))
end
refused(function(x) return lpdf.normal(x, 0, -1) end, "cs.lpdf.normal: sigma = -1: sigma must be above 0")
refused(function(x) return lpdf.normal(x, 0) end, "cs.lpdf.normal takes (y, mu, sigma)")
refused(function(x) return lpdf.nromal(x, 0, 1) end, "did you mean 'normal'?")
refused(function(x) return lpdf.poisson({ 1, 2.5 }, M.exp(x[1])) end, "y = 2.5: y must be a whole number")
refused(function(x) return lpdf.normal({ 1, 2, 3 }, x, 1) end, "a vector of 3 and a vector of 2")
refused(function(x) return lpdf.categorical(x[1], { 0.5, 0.5 }) end, "cs.lpdf.categorical: an index depends on the data or the state")
refused(function(x) return lpdf.normal({ 1, "2" }, x[1], 1) end, "a string cannot be used in a log density")
refused(function(x) return lpdf.normal({ { 1, print } }, x[1], 1) end, "a function cannot be used in a log density")
refused(function(x) return lpdf.normal({ { 1, 2 }, { 3 } }, x[1], 1) end, "the entries of this list differ in length")
refused(function(x) return lpdf.normal({ {} }, x[1], 1) end, "an empty list is not a vector")
refused(function(x) return lpdf.normal({ { { 1 } } }, x[1], 1) end, "the entries of this list differ in length")
refused(function(x) return lpdf.categorical(1.5, M.softmax(x)) end, "y = 1.5: y must be a whole number of at least 1")
refused(function(x) return lpdf.categorical({ 1, 2 }, { 0.5, 0.6 }) + x[1] end, "the numbers of p must sum to 1, but their sum is 1.1")
refused(function(x) return lpdf.dirichlet({ 0.2, 0.2 }, M.exp(x)) end, "the numbers of p must sum to 1, but their sum is 0.4")
refused(function(x) return lpdf.each.dirichlet(x, 1) end, "has no 'dirichlet'")
