# What the tests of parts and of ranks share: read by `.`, in a folder of its own,
# which is left at the end.
. "$(dirname "$0")/../support/begin.sh"
cd "$work" || exit 1
# A random number below N.
below() { echo $(($(od -An -N3 -tu4 /dev/urandom) % $1)); }

# More ranks than processors, by root where CI is root, in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_plm_rsh_agent= OMPI_MCA_hwloc_base_binding_policy=none
# ranks N ARG ...: the program on N ranks.
ranks() {
    of=$1
    shift
    timeout ${PATIENCE:-300} mpirun -n "$of" "$program" "$@"
}

# alike MADE: how the folder MADE, and said_MADE, differ from `whole` and said_whole;
# nothing where they are alike.
alike() {
    diff said_whole said_$1 >differ || {
        echo "another summary is shown:"
        head -n 6 differ
    }
    for saved in whole/checkpoint $1/checkpoint; do
        [ -e $saved ] || echo "there is no $saved"
    done
    # Checkpoints hold times; files of draws have lines with times.
    diff -ra -x checkpoint -I '^#.* seconds (' whole $1 >differ || cut -c 1-200 differ | head -n 12
}
# same NAME MADE: a fault where they are not alike.
same() {
    how=$(alike $2)
    [ -z "$how" ] || fault "$1: $how"
}

# Replica exchange, learned temperatures, an ensemble, tuners; arms whole and cut.
cat >plain.lua <<'EOF'
local cs = require "chainscope"
local walk = function() return cs.kernel.random_walk { step = 2 } end
return cs.scenario { title = "t", chains = 5, seed = 3, budget = { steps = 600 },
  target = cs.target.mixture { means = { { -4, 0 }, { 4, 1 } } },
  arms = { walk = walk(),
           tempered = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 2 }, rungs = 3 },
           simulated = cs.kernel.simulated_tempering { kernel = walk(), learn = 300 },
           fixed = cs.kernel.simulated_tempering { kernel = walk(), learn = 0 },
           ensemble = { kernel = cs.kernel.stretch {}, chains = 6 },
           tuned = { kernel = walk(), tuner = cs.tuner.acceptance { parameter = "step", acceptance = 0.4, steps = 100 } },
           mala = { kernel = cs.kernel.mala { step = cs.schedule.cosine { max = 2, min = 1, period = 20 } }, chains = 9 } },
  claims = { { arm = "walk", stat = "acceptance", at_least = 0.1 } },
}
EOF
# Chains stop, some in the warm-up; a target in Lua.
cat >stops.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 6, budget = { steps = 700 }, warmup = 60, strict = true,
  target = cs.target { space = cs.real(2), traced = false, log_density = function(x)
    if x[1] > 5 then return 0 / 0 end
    return -0.5 * (x[1]^2 + x[2]^2)
  end },
  arms = { plain = cs.kernel.random_walk { step = 2 }, small = cs.kernel.random_walk { step = 0.5 } },
}
EOF
# Work is the budget.
cat >work.lua <<'EOF'
local cs = require "chainscope"
return cs.scenario { title = "t", chains = 4, budget = { gradients = 3000 },
  target = cs.target.gaussian { dim = 2 },
  arms = { a = cs.kernel.hmc { step = 0.5 }, b = cs.kernel.mala { step = 0.5 },
           t = cs.kernel.parallel_tempering { kernel = cs.kernel.mala { step = 1 }, rungs = 2 } },
}
EOF
# What looks at all chains on the way keeps them together.
cat >setup.lua <<'EOF'
local cs = require "chainscope"
print("hello")
return cs.scenario { title = "t", chains = 3, budget = { steps = 300 },
  target = cs.target.gaussian { dim = 2 }, arms = { a = cs.kernel.random_walk { step = 1 } },
  setup = function(run) run:at(250, function(r) r:arm("a"):set("step", 2) end) end,
}
EOF
