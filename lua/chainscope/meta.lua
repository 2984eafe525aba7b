---@meta chainscope
-- Made from the rows of the program: cmake --build build --target regenerate

---@class chainscope.target
---@field name string
---@field dim integer
---@field coordinates string[]
---@class chainscope.kernel
---@field name string
---@class chainscope.schedule
---@class chainscope.tuner
---@class chainscope.space

---Sixteen states, two sharp and two flat modes
---@class (exact) chainscope.target.bernoulli4

---Binary Bayesian neural network
---@class (exact) chainscope.target.binary_network
---@field file? string path of a CSV file whose last column is the response, from 0 to 1; without it a random table is used
---@field held_out? string path of a CSV file of held-out rows
---@field without? string names of columns to leave out, separated by commas
---@field share? number the share of the rows of `file` that are used, from the first
---@field thin? integer use every so many-th of those rows: 10 takes a tenth of the time and hardly changes the log density, a mean over rows
---@field hidden? integer hidden units
---@field scale? number inverse temperature: energy of a mean squared error of 1
---@field standardise? boolean bring inputs to mean 0 and deviation 1 in the rows that count
---@field precision? "double"|"single" of the network; single takes less than half the time and knows log p to a millionth
---@field inputs? integer inputs of a table at random
---@field rows? integer its rows; half as many are held out
---@field seed? integer of a table at random

---Eight schools
---@class (exact) chainscope.target.eight_schools
---@field form? "non_centred"|"centred" coordinates: eta (non_centred), theta (centred)

---Gaussian
---@class (exact) chainscope.target.gaussian
---@field dim? integer number of coordinates
---@field mean? number[]|number[][] the mean of each coordinate; 0 by default
---@field covariance? number[]|number[][] the covariance matrix, row by row
---@field rho? number correlation of neighbours: S_ij = scale^2 rho^|i-j|
---@field scale? number standard deviation of each coordinate

---Independent sets of a graph
---@class (exact) chainscope.target.independent_set
---@field file? string path of a graph (G-set, Biq Mac, DIMACS, QUBO); without one a graph is drawn at random
---@field vertices? integer vertices of a random graph
---@field degree? number how many neighbours a vertex of a random graph has, in the mean
---@field seed? integer of a random graph
---@field log_fugacity? number what a vertex of the set is worth
---@field complement? boolean take the graph of the pairs that are not joined: the sets are then cliques
---@field slope? number what a chosen neighbour costs in the gradient; the target does not depend on it

---Ising model
---@class (exact) chainscope.target.ising
---@field rows? integer rows of the grid
---@field cols? integer columns of the grid; as many as rows unless given
---@field layers? integer grids above one another: a cube has several
---@field periodic? boolean join the borders: a torus
---@field coupling? "ferromagnet"|"antiferromagnet"|"signs"|"normal" J of the bonds: 1, -1, signs at random, normal numbers (spin glasses)
---@field seed? integer of random couplings
---@field file? string path of a graph (G-set, Biq Mac, DIMACS) in the place of a grid; its weights are J unless coupling is given
---@field beta? number inverse temperature; by default the critical one of the square grid
---@field field? number what pulls every spin up

---Modes on a lattice of integers
---@class (exact) chainscope.target.lattice_modes
---@field modes? integer how many modes; a square number
---@field gap? integer distance of neighbouring modes
---@field variance? number width of a mode, divided by the number of modes
---@field weights? number[]|number[][] height of each mode, row by row; 1 by default

---Bayesian logistic regression
---@class (exact) chainscope.target.logistic_regression
---@field file? string path of a CSV file whose last column is 0 or 1, or challenger (the default)
---@field prior_sd? number prior standard deviation of every coefficient
---@field standardise? boolean bring columns to mean 0 and deviation 1

---Maximum cut of a graph
---@class (exact) chainscope.target.max_cut
---@field file? string path of a graph (G-set, Biq Mac, DIMACS, QUBO); without one a graph is drawn at random
---@field vertices? integer vertices of a random graph
---@field degree? number how many neighbours a vertex of a random graph has, in the mean
---@field seed? integer of a random graph
---@field beta? number inverse temperature, per unit of cut

---Gaussian mixture
---@class (exact) chainscope.target.mixture
---@field weights? number[]|number[][] weight of each component, normalised; equal by default
---@field means? number[]|number[][] mean of each component, one per row; -6 and 4 by default
---@field sd? number standard deviation of every component
---@field sds? number[]|number[][] standard deviation of each component, instead of sd

---Nine modes in the plane
---@class (exact) chainscope.target.nine_modes
---@field box? number half the side of the square beyond which nothing is; 0: there is none
---@field penalty? number what the energy gains for each unit of |x|^2 above 7

---Potts model
---@class (exact) chainscope.target.potts
---@field rows? integer rows of the grid
---@field cols? integer columns of the grid; as many as rows unless given
---@field layers? integer grids above one another: a cube has several
---@field periodic? boolean join the borders: a torus
---@field coupling? "ferromagnet"|"antiferromagnet"|"signs"|"normal" J of the bonds: 1, -1, signs at random, normal numbers (spin glasses)
---@field seed? integer of random couplings
---@field file? string path of a graph (G-set, Biq Mac, DIMACS) in the place of a grid; its weights are J unless coupling is given
---@field values? integer q: the number of values of a site
---@field beta? number inverse temperature; unless given the critical one of the square grid, log(1 + sqrt q)
---@field field? number external field on the first value, times beta

---Quadratic binary program
---@class (exact) chainscope.target.quadratic
---@field file? string path of a graph (G-set, Biq Mac, DIMACS, QUBO); without one a graph is drawn at random
---@field vertices? integer vertices of a random graph
---@field degree? number how many neighbours a vertex of a random graph has, in the mean
---@field seed? integer of a random graph
---@field matrix? number[]|number[][] the matrix Q, row by row; q_ij and q_ji are added
---@field sense? "minimise"|"maximise" whether small or large x'Qx is more likely
---@field beta? number inverse temperature

---Restricted Boltzmann machine
---@class (exact) chainscope.target.rbm
---@field visible? integer visible units of a random machine
---@field hidden? integer hidden units of a random machine; with up to 12 log Z is computed exactly
---@field sd? number standard deviation of the weights of a random machine; its biases are standard normal
---@field seed? integer seed of a random machine
---@field weights? number[]|number[][] weights: a row 0, b_1, b_2, ..., then for each hidden unit a row c_j, w_j1, w_j2, ...
---@field file? string path of a CSV file of such rows
---@field cols? integer columns of the image that the visible units form; 0: nearly square

---Travelling salesman
---@class (exact) chainscope.target.tsp
---@field file? string path of a TSPLIB file
---@field costs? number[]|number[][] n rows of n numbers: the cost from the row's city to the column's
---@field cities? integer so many random cities in the unit square; 0: the eight of the paper
---@field seed? integer seed of random cities
---@field beta? number inverse temperature, per unit of cost
---@field gradient? "multilinear"|"coordinates" what gradient kernels use: the change of each bit, or the paper's slopes along the coordinates of the eight cities; the target does not depend on it
---@field tours? "random"|"identity" each chain starts at a random tour, or all at the cities in file order

---@class chainscope.target_family
---@overload fun(own: chainscope.own_target): chainscope.target
---@overload fun(own: chainscope.own_term): chainscope.target
---@field bernoulli4 fun(fields?: chainscope.target.bernoulli4): chainscope.target
---@field binary_network fun(fields?: chainscope.target.binary_network): chainscope.target
---@field eight_schools fun(fields?: chainscope.target.eight_schools): chainscope.target
---@field gaussian fun(fields?: chainscope.target.gaussian): chainscope.target
---@field independent_set fun(fields?: chainscope.target.independent_set): chainscope.target
---@field ising fun(fields?: chainscope.target.ising): chainscope.target
---@field lattice_modes fun(fields?: chainscope.target.lattice_modes): chainscope.target
---@field logistic_regression fun(fields?: chainscope.target.logistic_regression): chainscope.target
---@field max_cut fun(fields?: chainscope.target.max_cut): chainscope.target
---@field mixture fun(fields?: chainscope.target.mixture): chainscope.target
---@field nine_modes fun(fields?: chainscope.target.nine_modes): chainscope.target
---@field potts fun(fields?: chainscope.target.potts): chainscope.target
---@field quadratic fun(fields?: chainscope.target.quadratic): chainscope.target
---@field rbm fun(fields?: chainscope.target.rbm): chainscope.target
---@field tsp fun(fields?: chainscope.target.tsp): chainscope.target

---Any-scale balanced (AB)
---@class (exact) chainscope.kernel.any_scale
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number initial step (sigma)
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number initial balance (alpha)
---@field adapt? integer|number[]|chainscope.schedule|fun(step: integer): number the step at which sigma and alpha freeze. Draws made before it count too, but follow the target only approximately. 0: no adaptation
---@field buffer? integer|number[]|chainscope.schedule|fun(step: integer): number steps for which each setting is tried
---@field rate? number|number[]|chainscope.schedule|fun(step: integer): number first relative change of sigma to try; alpha changes by half of it
---@field decay? number|number[]|chainscope.schedule|fun(step: integer): number factor of the rate after each round

---Block Gibbs
---@class (exact) chainscope.kernel.block_gibbs
---@field sweeps? integer|number[]|chainscope.schedule|fun(step: integer): number sweeps per step: how often each step resamples every site

---Discrete Langevin, Metropolis-adjusted
---@class (exact) chainscope.kernel.dmala
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient: 1/2 suits small steps, values near 1 suit large ones
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), which evaluates all site differences in each step; unused in other spaces
---@field gradient_precision? "double"|"float"|"int8" precision of the gradient that proposals follow; draws are exact with any

---Discrete Langevin, unadjusted
---@class (exact) chainscope.kernel.dula
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient: 1/2 suits small steps, values near 1 suit large ones
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), which evaluates all site differences in each step; unused in other spaces

---Entropic discrete Langevin, Metropolis-adjusted
---@class (exact) chainscope.kernel.edmala
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates of x per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient; 1/2 in the paper
---@field eta? number|number[]|chainscope.schedule|fun(step: integer): number variance of theta_a around x (flatness). Large values give dula or dmala. Changing it while running restarts theta_a
---@field step_a? number|number[]|chainscope.schedule|fun(step: integer): number step size of theta_a, below 4 eta
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), each with its own theta_a; unused in other spaces

---Entropic discrete Langevin, Gibbs-like, Metropolis-adjusted
---@class (exact) chainscope.kernel.edmala_glu
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates of x per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient; 1/2 in the paper
---@field eta? number|number[]|chainscope.schedule|fun(step: integer): number variance of theta_a around x (flatness). Large values give dula or dmala. Changing it while running restarts theta_a
---@field count? "steps"|"halves" what one step updates: x and then theta_a, or one of them in turn (as the authors count)
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), each with its own theta_a; unused in other spaces

---Entropic discrete Langevin, unadjusted
---@class (exact) chainscope.kernel.edula
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates of x per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient; 1/2 in the paper
---@field eta? number|number[]|chainscope.schedule|fun(step: integer): number variance of theta_a around x (flatness). Large values give dula or dmala. Changing it while running restarts theta_a
---@field step_a? number|number[]|chainscope.schedule|fun(step: integer): number step size of theta_a, below 4 eta
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), each with its own theta_a; unused in other spaces

---Entropic discrete Langevin, Gibbs-like, unadjusted
---@class (exact) chainscope.kernel.edula_glu
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number alpha, in squares of a coordinate: larger values move more coordinates of x per step
---@field weight? number|number[]|chainscope.schedule|fun(step: integer): number weight of the gradient; 1/2 in the paper
---@field eta? number|number[]|chainscope.schedule|fun(step: integer): number variance of theta_a around x (flatness). Large values give dula or dmala. Changing it while running restarts theta_a
---@field count? "steps"|"halves" what one step updates: x and then theta_a, or one of them in turn (as the authors count)
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), each with its own theta_a; unused in other spaces

---Gibbs
---@class (exact) chainscope.kernel.gibbs
---@field scan? "random"|"systematic" which site comes next: a random one, or all in order
---@field sites? integer|number[]|chainscope.schedule|fun(step: integer): number sites resampled together: all values^sites states of them are evaluated

---Gibbs with gradients
---@class (exact) chainscope.kernel.gwg
---@field balancing? "sqrt"|"barker"|"min"|"max" balancing function b(t) of a neighbour t times as likely: sqrt t, t / (1 + t), min(1, t) or max(1, t)
---@field reach? integer|number[]|chainscope.schedule|fun(step: integer): number largest move of an ordinal site; unused in other spaces
---@field sites? integer|number[]|chainscope.schedule|fun(step: integer): number sites drawn with replacement and flipped together; more than 1 for binary spaces only
---@field gradient_precision? "double"|"float"|"int8" precision of the gradient that proposals follow; draws are exact with any
---@field coding? "ordered"|"one_hot" a categorical site as one number, or as one bit per value (one_hot), which evaluates all site differences in each step; unused in other spaces

---Hamming ball
---@class (exact) chainscope.kernel.hamming_ball
---@field sites? integer|number[]|chainscope.schedule|fun(step: integer): number sites of the set that may change
---@field radius? integer|number[]|chainscope.schedule|fun(step: integer): number radius of the ball: how many of them may differ from its centre

---Hamiltonian Monte Carlo
---@class (exact) chainscope.kernel.hmc
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number step size (time) of one leapfrog
---@field leapfrogs? integer|number[]|chainscope.schedule|fun(step: integer): number leapfrog steps per trajectory
---@field gradient_precision? "double"|"float" precision of the gradient along a trajectory; draws are exact with either

---Locally balanced
---@class (exact) chainscope.kernel.locally_balanced
---@field balancing? "sqrt"|"barker"|"min"|"max" balancing function b(t) of a neighbour t times as likely: sqrt t, t / (1 + t), min(1, t) or max(1, t)
---@field reach? integer|number[]|chainscope.schedule|fun(step: integer): number largest move of an ordinal site; unused in other spaces

---Metropolis-adjusted Langevin
---@class (exact) chainscope.kernel.mala
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number standard deviation of the noise; the drift is step^2 / 2 times the gradient

---Parallel tempering
---@class (exact) chainscope.kernel.parallel_tempering
---@field kernel chainscope.kernel what it wraps
---@field rungs? integer number of temperatures, each with a chain of its own
---@field hottest? number the highest temperature; the lowest is 1, those between are a geometric row
---@field every? integer steps between swap attempts of neighbouring temperatures
---@field temperatures? number[]|number[][] the ladder itself, rising from 1, in place of rungs and hottest

---Random-walk Metropolis
---@class (exact) chainscope.kernel.random_walk
---@field step? number|number[]|chainscope.schedule|fun(step: integer): number standard deviation of the move (real spaces)
---@field reach? integer|number[]|chainscope.schedule|fun(step: integer): number largest move of a coordinate (ordinal spaces)
---@field sites? integer|number[]|chainscope.schedule|fun(step: integer): number sites flipped at once (binary spaces)

---Simulated tempering
---@class (exact) chainscope.kernel.simulated_tempering
---@field kernel chainscope.kernel what it wraps
---@field rungs? integer number of temperatures
---@field hottest? number the highest temperature; the lowest is 1, those between are a geometric row
---@field every? integer steps between attempts to change the temperature
---@field learn? integer the step at which the weights of the temperatures freeze: draws count from there. 0: all weights are equal
---@field temperatures? number[]|number[][] the ladder itself, rising from 1, in place of rungs and hottest
---@field log_weights? number[]|number[][] log weight of each temperature (nats) from an earlier run; learn then defaults to 0

---Swendsen-Wang
---@class (exact) chainscope.kernel.swendsen_wang

---Wolff
---@class (exact) chainscope.kernel.wolff

---@class chainscope.kernel_family
---@overload fun(own: chainscope.own_kernel): chainscope.kernel
---@field any_scale fun(fields?: chainscope.kernel.any_scale): chainscope.kernel
---@field block_gibbs fun(fields?: chainscope.kernel.block_gibbs): chainscope.kernel
---@field dmala fun(fields?: chainscope.kernel.dmala): chainscope.kernel
---@field dula fun(fields?: chainscope.kernel.dula): chainscope.kernel
---@field edmala fun(fields?: chainscope.kernel.edmala): chainscope.kernel
---@field edmala_glu fun(fields?: chainscope.kernel.edmala_glu): chainscope.kernel
---@field edula fun(fields?: chainscope.kernel.edula): chainscope.kernel
---@field edula_glu fun(fields?: chainscope.kernel.edula_glu): chainscope.kernel
---@field gibbs fun(fields?: chainscope.kernel.gibbs): chainscope.kernel
---@field gwg fun(fields?: chainscope.kernel.gwg): chainscope.kernel
---@field hamming_ball fun(fields?: chainscope.kernel.hamming_ball): chainscope.kernel
---@field hmc fun(fields?: chainscope.kernel.hmc): chainscope.kernel
---@field locally_balanced fun(fields?: chainscope.kernel.locally_balanced): chainscope.kernel
---@field mala fun(fields?: chainscope.kernel.mala): chainscope.kernel
---@field parallel_tempering fun(fields: chainscope.kernel.parallel_tempering): chainscope.kernel
---@field random_walk fun(fields?: chainscope.kernel.random_walk): chainscope.kernel
---@field simulated_tempering fun(fields: chainscope.kernel.simulated_tempering): chainscope.kernel
---@field swendsen_wang fun(fields?: chainscope.kernel.swendsen_wang): chainscope.kernel
---@field wolff fun(fields?: chainscope.kernel.wolff): chainscope.kernel

---Constant
---@class (exact) chainscope.schedule.constant
---@field value number the value at every step

---Cyclical cosine
---@class (exact) chainscope.schedule.cosine
---@field max number the value at the start of each cycle
---@field min number the value at the end of each cycle
---@field period? integer steps of one cycle
---@field shape? "floor"|"smooth" floor: from max towards 0, cut off at min; smooth: from max to min
---@field rest? integer steps at the end of each cycle that stay at min

---Repeating list
---@class (exact) chainscope.schedule.cycle
---@field values number[]|number[][] the value at each step of a cycle, up to 128; a kernel takes the bare list too: step = { 5, 2, 1 }

---Linear ramp
---@class (exact) chainscope.schedule.linear
---@field from number the value at the first step
---@field to number the value from step 1 + steps on
---@field steps? integer number of steps from one to the other

---@class chainscope.schedule_family
---@overload fun(own: fun(step: integer): number): chainscope.schedule
---@field constant fun(fields?: chainscope.schedule.constant): chainscope.schedule
---@field cosine fun(fields?: chainscope.schedule.cosine): chainscope.schedule
---@field cycle fun(fields?: chainscope.schedule.cycle): chainscope.schedule
---@field linear fun(fields?: chainscope.schedule.linear): chainscope.schedule

---To a target acceptance
---@class (exact) chainscope.tuner.acceptance
---@field acceptance? number the mean acceptance to reach; 0: what suits the kernel (a random walk 0.44 in one dimension to 0.234 in many, hmc 0.8, others 0.574)
---@field parameter? string the kernel's parameter that is tuned
---@field steps? integer length of the warm-up, per chain
---@field trial_steps? integer steps per trial: each trial measures the acceptance rate of one value
---@field gain? number how far the log of the parameter moves after each trial

---Automatic cyclical schedule
---@class (exact) chainscope.tuner.acs
---@field variant? "paper"|"printed"|"released" paper: Algorithms 2 to 5, corrected; printed: the search for the largest step as printed; released: as in the authors' program
---@field acceptance? number rho*: target acceptance rate at both ends of the cycle
---@field period? integer s: steps per cycle; 8 or 20 in the paper
---@field weight_max? number the weight of the largest step
---@field weight_min? number the weight of the smallest
---@field step_max? number alpha_ceil: the search for the largest starts there
---@field step_min? number alpha_floor: that for the smallest
---@field trials? integer B: trials in all, half for each end of the cycle
---@field trial_steps? integer steps per trial: more steps, or more chains, measure more precisely
---@field rate? number zeta: relative width of the next search range
---@field proposals? integer t of Algorithm 4: step sizes tried per round
---@field resolution? integer t of Algorithm 5: weights tried per step size
---@field burn_in? integer l: first steps, without an accept step
---@field settle? integer l_MH: then whole untuned cycles with it

---Warm-up without tuning
---@class (exact) chainscope.tuner.warmup
---@field steps? integer length of the warm-up, per chain

---@class chainscope.tuner_family
---@field acceptance fun(fields?: chainscope.tuner.acceptance): chainscope.tuner
---@field acs fun(fields?: chainscope.tuner.acs): chainscope.tuner
---@field warmup fun(fields?: chainscope.tuner.warmup): chainscope.tuner

---@class (exact) chainscope.own_target
---@field generated? fun(p: any): table<string, any> of params: a table of more to be shown and recorded
---@field gradient? fun(x: number[]): number[] its gradient, a list; without one it is derived from what log_density does
---@field log_density fun(x: any): any log density of a state (of params: a table of them), in nats, up to a constant
---@field name? string what it is called
---@field params? table parameters with their bounds: { mu = cs.real(), tau = cs.positive() }
---@field picture? chainscope.picture how a state looks: { rows = 28, cols = 28 }; of real numbers with the ends of the greys: low = 0, high = 1
---@field space? chainscope.space which values a state takes; or give params
---@field traced? boolean false: call the function at every step instead of once; x is the same list each time: copy what you keep
---@field view? (string|number)[] the part of the plane worth showing: { x0, x1, y0, y1 }; of other coordinates than the first: { "mu", "tau", x0, x1, y0, y1 }

---@class (exact) chainscope.own_term
---@field data string|table<string, string|string[]|number[]|number[][]> columns: lists with a number or a vector in every row; or the name of a CSV file, which a million rows had better come from
---@field generated? function of params: a table of more to be shown and recorded
---@field name? string what it is called
---@field params? table parameters with their bounds: { mu = cs.real(), tau = cs.positive() }
---@field picture? chainscope.picture how a state looks: { rows = 28, cols = 28 }; of real numbers with the ends of the greys: low = 0, high = 1
---@field prior? fun(x: any): any the part that does not depend on the data: prior(x)
---@field space? chainscope.space which values a state takes; or give params
---@field term fun(x: any, row: table<string, any>): any the part of the log density that one row adds: term(x, row), with row.y and so on
---@field view? (string|number)[] the part of the plane worth showing: { x0, x1, y0, y1 }; of other coordinates than the first: { "mu", "tau", x0, x1, y0, y1 }

---@class (exact) chainscope.own_kernel
---@field log_q? fun(from: number[], to: number[], params: table<string, number>): number log q(to | from): log_q(from, to, params); without it the proposal is symmetric
---@field params? table<string, number> named numbers, to be changed while it runs
---@field propose fun(x: number[], draw: chainscope.numbers, params: table<string, number>): number[] a state from a state, by its arguments alone, nothing kept between calls: propose(x, draw, params)

---@class (exact) chainscope.arm_fields
---@field chains? integer chains of an arm; 4
---@field kernel chainscope.kernel what moves it
---@field name? string what it is called
---@field tuner? chainscope.tuner what sets its parameters in a warm-up

---@class (exact) chainscope.budget
---@field data_terms? integer terms of rows of data, summed over an arm's chains
---@field each? string of what the counts are: "arm", summed over its chains, unless it is "chain"
---@field gradients? integer gradients, summed over an arm's chains
---@field log_densities? integer log densities, summed over an arm's chains
---@field seconds? number wall time of the whole run
---@field steps? integer steps of each chain

---@class (exact) chainscope.full
---@field budget? chainscope.budget when an arm is done
---@field chains? integer chains of an arm; 4
---@field seeds? integer runs, each with the next seed: their spread is the error; 1
---@field setting? string what setting then says
---@field target? chainscope.target|fun(): chainscope.target what to draw from; or a function that makes it, called when a run is opened: data are not read before

---@class (exact) chainscope.claim
---@field arm string|number whose figure
---@field at_least? number the smallest that holds
---@field at_most? number the largest that holds
---@field data? string the file that what the paper printed is of: without it the claim is not judged
---@field each? integer the figure in the mean over the run, looked at each so many steps, the start included
---@field exact? number what is exactly true: the figure must not differ from it, and its error must be small against within
---@field holds? boolean|string false: the paper says so, our measurement does not; "cannot tell": our error is too large to say
---@field less? string|number what counts is the figure less that of this arm: held against at_most = 0, say
---@field measure? fun(arm: chainscope.arm): number, number?, integer? measures what stat then only names: measure(arm) gives the figure, its standard error and the degrees of freedom of that; or a list of what each chain adds and a function that makes the figure of such a list: its error is then a bootstrap; without an error there is no verdict
---@field near? number what it should be ...
---@field note? string why it is so
---@field of? string|number the coordinate (its number or name), the mode or the other arm
---@field only? "full"|"quick" "full" or "quick": the setting in which it is judged; both without
---@field over? string|number what counts is the figure divided by that of this arm: held against at_least = 1, say
---@field paper? string what the paper printed; the bounds are then the paper's claim
---@field stat string which figure: cs.help "figures"
---@field within? number ... give or take; of exact alone a twentieth of it

---@class (exact) chainscope.panel
---@field [1] "state"|"trace"|"acceptance"|"energy"|"visits"|"map"|"distance"|"summary"|"picture"|"tuner"|"cycle"|"log"|"lesson" its name
---@field arm? string the arm it shows first
---@field of? string|(string|number)[] what it shows: of trace "energy" or a coordinate; of distance its name; of map two coordinates, then their window if need be: { "log_tau", "theta.1", -4, 4, -20, 30 }

---@class (exact) chainscope.scenario
---@field arms table<string|integer, chainscope.kernel|chainscope.arm_fields> kernels to compare, by name
---@field block_lanes? integer chains moved together; results do not depend on it
---@field budget? chainscope.budget when an arm is done
---@field chains? integer chains of an arm; 4
---@field claims? chainscope.claim[] what it promises, for a test to check
---@field full? chainscope.full what `chainscope replicate` changes: the scenario as it stands is the quick setting, which tests and the screen take
---@field keep? integer draws kept of a chain; 4096
---@field probes? table probes added to the usual ones, by name or with fields: { "curvature", trace = { every = 10 } }; only = true: these, and what screen and claims need
---@field rewind_bytes? integer memory for the way back; 64 MiB
---@field screen? ("state"|"trace"|"acceptance"|"energy"|"visits"|"map"|"distance"|"summary"|"picture"|"tuner"|"cycle"|"log"|"lesson"|chainscope.panel)[] panels, in order: a name, or what it shows and which arm first: { "trace", of = "x.1", arm = "small" }
---@field seed? integer all randomness follows from it; 0
---@field setting? string how its setting differs from that of the paper it is about: "60 of 1001 steps, each tenth row"
---@field setup? fun(run: chainscope.run) called with the run once it is open: events go here
---@field shows? string the one thing to see
---@field source? string the paper and section it comes from
---@field speed? number steps a second at which the screen begins, + - = change it; without: as fast as it goes
---@field start? number[]|number[][]|table<string, any>|table<string, any>[] where chains start: a state, or a list of states; of params, by name. Unless given, each real coordinate is uniform on (-2, 2) where chains move freely, each other site uniform over its values
---@field strict? boolean a chain stops at the first proposal where the log density or its gradient is not a number; else that proposal is refused and counted
---@field target chainscope.target|fun(): chainscope.target what to draw from; or a function that makes it, called when a run is opened: data are not read before
---@field title string its name
---@field warmup? number steps of each chain before its draws begin, which nothing records; below 1 a share of the budget's steps; of arms without a tuner, whose warm-up is its own; 0, and in `chainscope run` a tenth of the budget's steps, 1000 at most
---@field workers? integer threads; results do not depend on them

---@class (exact) chainscope.run_fields
---@field arms table<string|integer, chainscope.kernel|chainscope.arm_fields> kernels to compare, by name
---@field block_lanes? integer chains moved together; results do not depend on it
---@field budget? chainscope.budget when an arm is done
---@field chains? integer chains of an arm; 4
---@field claims? chainscope.claim[] what it promises, for a test to check
---@field full? chainscope.full what `chainscope replicate` changes: the scenario as it stands is the quick setting, which tests and the screen take
---@field keep? integer draws kept of a chain; 4096
---@field probes? table probes added to the usual ones, by name or with fields: { "curvature", trace = { every = 10 } }; only = true: these, and what screen and claims need
---@field rewind_bytes? integer memory for the way back; 64 MiB
---@field screen? ("state"|"trace"|"acceptance"|"energy"|"visits"|"map"|"distance"|"summary"|"picture"|"tuner"|"cycle"|"log"|"lesson"|chainscope.panel)[] panels, in order: a name, or what it shows and which arm first: { "trace", of = "x.1", arm = "small" }
---@field seed? integer all randomness follows from it; 0
---@field setting? string how its setting differs from that of the paper it is about: "60 of 1001 steps, each tenth row"
---@field setup? fun(run: chainscope.run) called with the run once it is open: events go here
---@field shows? string the one thing to see
---@field source? string the paper and section it comes from
---@field speed? number steps a second at which the screen begins, + - = change it; without: as fast as it goes
---@field start? number[]|number[][]|table<string, any>|table<string, any>[] where chains start: a state, or a list of states; of params, by name. Unless given, each real coordinate is uniform on (-2, 2) where chains move freely, each other site uniform over its values
---@field strict? boolean a chain stops at the first proposal where the log density or its gradient is not a number; else that proposal is refused and counted
---@field target chainscope.target|fun(): chainscope.target what to draw from; or a function that makes it, called when a run is opened: data are not read before
---@field title? string its name
---@field warmup? number steps of each chain before its draws begin, which nothing records; below 1 a share of the budget's steps; of arms without a tuner, whose warm-up is its own; 0, and in `chainscope run` a tenth of the budget's steps, 1000 at most
---@field workers? integer threads; results do not depend on them

---@class (exact) chainscope.sparse_fields
---@field cols integer how many columns
---@field i table their rows
---@field j table their columns
---@field rows integer how many rows
---@field v table the entries, one number each

---@class (exact) chainscope.picture
---@field cols integer columns; pixel (r, c) is coordinate cols (r - 1) + c, counted from first
---@field first? integer the first coordinate that is drawn, 1
---@field high? number of real numbers: what is drawn brightest, 1
---@field low? number of real numbers: what is drawn darkest, 0
---@field rows integer rows of pixels

---@class chainscope.lpdf
---@field normal fun(y, mu, sigma): any normal, sigma its standard deviation
---@field half_normal fun(y, sigma): any normal around 0, its right half
---@field student_t fun(y, nu, mu, sigma): any Student's t of nu degrees of freedom
---@field half_student_t fun(y, nu, sigma): any around 0, its right half
---@field cauchy fun(y, mu, sigma): any Cauchy, sigma its scale
---@field half_cauchy fun(y, sigma): any around 0, its right half
---@field laplace fun(y, mu, sigma): any double exponential, sigma its scale
---@field logistic fun(y, mu, sigma): any logistic, sigma its scale
---@field gamma fun(y, shape, rate): any Gamma of mean shape / rate
---@field inverse_gamma fun(y, shape, scale): any of 1 / y a Gamma of that rate
---@field weibull fun(y, shape, scale): any Weibull
---@field exponential fun(y, rate): any exponential of mean 1 / rate
---@field lognormal fun(y, mu, sigma): any of log y a normal
---@field beta fun(y, a, b): any Beta of mean a / (a + b)
---@field uniform fun(y, low, high): any uniform from low to high
---@field poisson fun(y, rate): any Poisson
---@field poisson_log fun(y, eta): any Poisson of rate exp(eta)
---@field neg_binomial fun(y, mu, phi): any negative binomial of mean mu and variance mu + mu^2 / phi
---@field binomial fun(y, n, p): any successes of n trials
---@field binomial_logit fun(y, n, eta): any of probability sigmoid(eta)
---@field bernoulli fun(y, p): any 1 with probability p
---@field bernoulli_logit fun(y, eta): any 1 with probability sigmoid(eta)
---@field categorical fun(y, p): any y is the number of an entry of p, the probabilities, counted from 1
---@field categorical_logit fun(y, eta): any y counted from 1, of probabilities softmax(eta)
---@field dirichlet fun(p, alpha): any Dirichlet, of a simplex p
---@field multi_normal_cholesky fun(y, mu, l): any normal vector (or rows of a matrix) of covariance l l', l lower triangular
---@field lkj_cholesky fun(l, eta): any l the Cholesky factor of a correlation matrix of density |l l'|^(eta - 1)
---@field each fun(...): any the same, not summed: entries, as mixtures need them

---@class chainscope.math
---@field log fun(x, base?): any natural logarithm, or to that base
---@field log1p fun(x): any log(1 + x), exact for small x
---@field exp fun(x): any e to the x
---@field expm1 fun(x): any exp(x) - 1, exact for small x
---@field sqrt fun(x): any square root
---@field abs fun(x): any absolute value
---@field pow fun(x, y): any x to the y, as x^y
---@field sin fun(x): any sine
---@field cos fun(x): any cosine
---@field tan fun(x): any tangent
---@field asin fun(x): any the angle from -pi/2 to pi/2 whose sine is x
---@field acos fun(x): any the angle from 0 to pi whose cosine is x
---@field atan fun(y, x): any the angle whose tangent is y, or that of the point (x, y)
---@field tanh fun(x): any hyperbolic tangent
---@field erf fun(x): any error function
---@field normal_cdf fun(x): any P(a standard normal is at most x)
---@field log_normal_cdf fun(x): any its logarithm, exact far out on the left
---@field lgamma fun(x): any log of the Gamma function
---@field digamma fun(x): any derivative of lgamma
---@field log_rising fun(a, n): any lgamma(a + n) - lgamma(a), exact for n << a
---@field log_beta fun(a, b): any log of the Beta function
---@field softplus fun(x): any log(1 + exp(x))
---@field sigmoid fun(x): any 1 / (1 + exp(-x))
---@field log_sigmoid fun(x): any its logarithm
---@field lt fun(a, b): any 1 where a < b, else 0
---@field le fun(a, b): any 1 where a <= b, else 0
---@field gt fun(a, b): any 1 where a > b, else 0
---@field ge fun(a, b): any 1 where a >= b, else 0
---@field eq fun(a, b): any 1 where a equals b, else 0
---@field where fun(c, a, b): any a where c is not 0, else b
---@field max fun(a, ...): any the largest of its arguments, or of one vector
---@field min fun(a, ...): any the smallest
---@field sum fun(x): any the sum of a vector
---@field mean fun(x): any its mean
---@field norm fun(x): any its length, the root of the sum of squares
---@field dot fun(x, y): any the sum of the products of two vectors
---@field log_sum_exp fun(x, ...): any log of the sum of exponentials of a vector, or of its arguments
---@field softmax fun(x): any exp(x) over its sum
---@field log_softmax fun(x): any its logarithm
---@field cumulative_sum fun(x): any the sum of the entries up to each
---@field vector fun(x): any a list as a vector that can be added and multiplied
---@field pack fun(a, ...): any one vector of numbers and vectors
---@field fill fun(x, n): any a vector of n times the number x
---@field slice fun(x, first, last): any the entries first to last, both included
---@field at fun(t, i, j?): any the entry of a list, or of rows, that a value of a discrete state says: counted from 0, with the slope of differences
---@field gather fun(x, i): any the entries (of a matrix: rows) whose numbers, counted from 1, are in the list i
---@field product fun(a, b): any matrix times vector or matrix, vector times matrix; the matrix may be a cs.sparse
---@field outer fun(x, y): any the matrix of all products x[i] y[j]
---@field matrix fun(x, rows, columns): any a vector cut into rows, or a list of rows
---@field transpose fun(a): any rows as columns
---@field column fun(a, j): any column j of a matrix; its rows are a[i]
---@field diagonal fun(a): any the diagonal of a matrix, or a matrix with that diagonal
---@field cholesky fun(a): any the lower triangle l with l l' = a; a diagonal entry 0 where a is not positive definite
---@field solve_lower fun(l, b): any x with l x = b, of l the lower triangle
---@field solve_lower_transposed fun(l, b): any x with l' x = b

---@class chainscope.params
---@field real fun(rows?, cols?): any a number, a vector or a matrix; as a space: cs.real(n)
---@field positive fun(rows?, cols?): any the same, above 0
---@field interval fun(low, high, rows?, cols?): any the same, between bounds, of which one may be infinite
---@field ordered fun(n): any n numbers, each above the one before
---@field simplex fun(n): any n numbers above 0 whose sum is 1
---@field cholesky_corr fun(n): any the Cholesky factor of a correlation matrix of n

---@class chainscope.state
---@field [integer] number a coordinate that chains move in, from 1; whole where the space is
---@field [string] any of params: a parameter in its shape; else what run.coordinates names
---@field log_density number its log density, in nats

---@class chainscope.info
---@field accepted boolean whether the proposal was accepted
---@field moved boolean whether the state changed
---@field failed boolean whether the chain has stopped
---@field verdict string accepted, refused or failed
---@field log_density number log density of the state now
---@field log_density_proposed number log density of the proposal
---@field log_density_change number that of the proposal less that of the state before the step
---@field log_q_forward number log q(proposal | state)
---@field log_q_back number log q(state | proposal)
---@field log_ratio number log of the acceptance ratio
---@field log_accept number log of the acceptance probability
---@field log_uniform number log of the uniform number it is held against: accepted if that is smaller
---@field proposal chainscope.state? the proposed state
---@field own table<string, number[]>? the kernel's own variables, by name
---@field own_proposal table<string, number[]>? those proposed

---@class chainscope.draw_row
---@field [integer] number a value, in the order of run.coordinates; then own variables of the kernel
---@field [string] number the same by name: draw.mu, draw["x.1"]
---@field log_density number its log density, in nats
---@class chainscope.arms
---@field [integer] chainscope.arm by place, from 1
---@field [string] chainscope.arm by name

---@class chainscope.numbers
local numbers = {}
---a uniform number on (0, 1)
---@return number
function numbers:uniform() end
---a standard normal number
---@return number
function numbers:normal() end
---a whole number from 1 to n, all alike
---@param n integer
---@return integer
function numbers:below(n) end

---@class chainscope.run
---@field steps integer steps made so far
---@field seed integer all randomness follows from it
---@field seconds number wall time spent at work
---@field oldest integer the oldest step that rewind reaches
---@field finished boolean whether the budget is spent
---@field arms chainscope.arms the arms, a list, known by name too: run.arms[1], run.arms.small; #run.arms
---@field coordinates string[] the names of the coordinates that are recorded, a list
local run = {}
---n more steps of every chain; 1 by default
---@param n? integer
---@return integer
function run:step(n) end
---the arm of that number or name
---@param which integer|string
---@return chainscope.arm
function run:arm(which) end
---calls f(run) each n steps
---@param n integer
---@param f fun(run: chainscope.run)
function run:every(n, f) end
---calls f(run) at that step
---@param step integer
---@param f fun(run: chainscope.run)
function run:at(step, f) end
---back by n steps: exactly as it was
---@param n integer
function run:rewind(n) end
---back to that step
---@param step integer
function run:rewind_to(step) end
---a table of all arms, as a text
---@return string
function run:summary() end
---a parameter of an arm, as --set has it: run:set "small.step=0.3"
---@param text string
function run:set(text) end
---the scenario's claims, judged now, as a text
---@return string?
function run:claims() end
---the claims, the scenario's own by default, judged now: a list of { claim, value, error, answer, reason ... }
---@param claims? chainscope.claim[]
---@return table[]
function run:judge(claims) end
---what the probes say
---@param key? string
---@return any
function run:report(key) end
---what was changed and when, as a text
---@return string
function run:journal() end
---a fresh run becomes the one that the journal is of
---@param text string
function run:replay(text) end
---the first fault not yet told, or nil
---@return string?
function run:fault() end
---what one should know of the target, or nil
---@return string?
function run:note() end

---@class chainscope.arm
---@field run chainscope.run the run it is of
---@field index integer its place among the arms, from 1
---@field name string its name
---@field kernel string the name of its kernel
---@field params table<string, number> the kernel's parameters, by name
---@field chains chainscope.chain[] its chains, a list: arm.chains[1]; #arm.chains
---@field group integer how many chains belong together, 1 unless the kernel couples them
---@field steps integer steps of each chain, a warm-up's left out
---@field log_densities integer log densities, summed over its chains
---@field gradients integer gradients, summed over its chains
---@field site_differences integer differences at a site, summed over its chains
---@field data_terms integer terms of rows of data, summed over its chains
---@field seconds number processor time of its chains
---@field finished boolean whether its budget is spent
---@field warm_up integer steps of its tuner's warm-up
---@field tuned number the share of the warm-up that is done, 0 to 1
local arm = {}
---a number or a schedule, from the next step on; arm:set "step=0.3" too
---@param param string
---@param value? number|number[]|string|chainscope.schedule|fun(step: integer): number
function arm:set(param, value) end
---another kernel from the next step on
---@param kernel chainscope.kernel
function arm:use(kernel) end
---the chain of that number
---@param i integer
---@return chainscope.chain
function arm:chain(i) end
---what a probe says of this arm
---@param key string
---@return any
function arm:report(key) end
---what moves it now, as fields: cs.kernel.NAME(arm:plan()) is it again
---@return table<string, any>
function arm:plan() end
---what its tuner has tried, a list of { phase, steps, acceptance, taken, step ... }
---@return table[]
function arm:trials() end
---one figure: cs.help "figures"; nil and why if it is not known
---@param name string
---@param of? integer|string
---@return number?, string?
function arm:figure(name, of) end

---@class chainscope.chain
---@field arm chainscope.arm the arm it is of
---@field index integer its place among the arm's chains, from 1
local chain = {}
---the parts of the last step: proposal, log_density, log_density_proposed, log_density_change, log_q_forward, log_q_back, log_ratio, log_uniform, verdict, own variables of the kernel ...
---@return chainscope.info
function chain:info() end
---the state, a list of the coordinates that chains move in, its parameters by name, and its log_density
---@return chainscope.state, number
function chain:state() end
---what is recorded of the state, a list in the order of run.coordinates, by name too
---@return chainscope.draw_row
function chain:shown() end
---puts the chain there: coordinates, or parameters by name
---@param x number[]|table<string, any>
function chain:set_state(x) end
---steps, accepted, moved, divergent, not_finite, and rolling, the acceptance of late
---@return table
function chain:tally() end
---the kept draws, rows in the order of run.coordinates, then own variables of the kernel, each with its log_density and by name; and the steps between them
---@return chainscope.draw_row[], integer
function chain:draws() end

---@class chainscope.target
local target = {}
---log density at the point x, a list of coordinates or values by name, in nats
---@param x number[]|table<string, any>
---@return number
function target:log_density(x) end
---its gradient, a list
---@param x number[]|table<string, any>
---@return number[]
function target:gradient(x) end
---by what the log density changes if coordinate i takes each of its values, a list
---@param x number[]|table<string, any>
---@param i integer
---@return number[]
function target:differences(x, i) end
---its second derivatives, a list of rows; and how they were found
---@param x number[]|table<string, any>
---@return number[][], string
function target:hessian(x) end
---the Hessian at x times v, a list; and how
---@param x number[]|table<string, any>
---@param v number[]
---@return number[], string
function target:hessian_times(x, v) end
---of the Hessian, ascending: flat and sharp; and how
---@param x number[]|table<string, any>
---@return number[], string
function target:eigenvalues(x) end

---@class chainscope.network
local network = {}
---learns from images and labels, else to repeat what it is shown; the loss of the last epoch
---@param what chainscope.arm|table
---@return number
function network:train(what) end
---how many images it takes for each class, a list; and with labels the share that is right
---@param what chainscope.arm|table
---@return integer[], number?
function network:classify(what) end
---how like its outputs are to the images it is shown, corrupted or not: mse, psnr, ssim, lift
---@param what chainscope.arm|table
---@return table<string, number>
function network:reconstruct(what) end
---all of it as a text, for cs.network { file = ... }
---@param digits? integer
---@return string
function network:text(digits) end
---its inputs, hidden units and outputs, a list
---@return integer[]
function network:units() end

---@class chainscope: chainscope.params
---@field target chainscope.target_family
---@field kernel chainscope.kernel_family
---@field schedule chainscope.schedule_family
---@field tuner chainscope.tuner_family
---@field math chainscope.math
---@field lpdf chainscope.lpdf
---@field version string the version of the program
local cs = {}
---@param fields chainscope.scenario
---@return chainscope.scenario # describes a run, its screen, its lesson and its claims: what a scenario file returns
function cs.scenario(fields) end
---@param fields chainscope.run_fields
---@return chainscope.run # opens a run that a script drives step by step
function cs.open(fields) end
---@param n integer
---@return chainscope.space # the space of n bits, 0 or 1
function cs.binary(n) end
---@param n integer
---@param values integer
---@return chainscope.space # the space of n sites with so many values each, from 0, without an order
function cs.categorical(n, values) end
---@param n integer
---@param low integer
---@param high integer
---@return chainscope.space # the space of n whole numbers from low to high
function cs.ordinal(n, low, high) end
---@param fields chainscope.sparse_fields
---@return any # a sparse matrix for cs.math.product
function cs.sparse(fields) end
---@param path string
---@return boolean # whether a target would find that file: beside the scenario, among the program's data, or in the folder CHAINSCOPE_DATA
function cs.has_data(path) end
---@param path string
---@return table<string, number[]|string[]>, string[] # the columns of a CSV file beside the scenario or among the data, by name: numbers (what is missing is nan) or texts; and the names in their order. data = { file = ... } is quicker for a million rows
function cs.read_table(path) end
---@param path string
---@return any # the value of a JSON file beside the scenario or among the data: objects and lists are tables; null is nan in a list and nothing in an object
function cs.read_json(path) end
---@param path string
---@return table<string, chainscope.kernel> # the arms of another run, from the plans.lua in its folder
function cs.plans(path) end
---@param fields { units?: integer[], seed?: integer, file?: string }
---@return chainscope.network # a small network of dense layers that classifies or repeats images
function cs.network(fields) end
---@param name? string
---@return string # what a name means: any word of cs, field, method, figure, kernel, target ...
function cs.help(name) end
---@return string # all help in one, as Markdown
function cs.reference() end
---@return table # what there is: targets, kernels, schedules, tuners and probes with their rows
function cs.describe() end
return cs
