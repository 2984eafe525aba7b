// The part of BridgeStan's C interface that chainscope uses, for a model that
// the stanc of rstan 2.21 has translated to C++ (STAN_MODEL is the name of that
// file). This provides a real compiled Stan model wherever r-cran-rstan is
// installed.
#include STAN_MODEL

#include <stan/io/array_var_context.hpp>
#include <stan/model/log_prob_grad.hpp>

#include <cstdlib>
#include <cstring>
#include <sstream>

typedef boost::ecuyer1988 random_numbers;
typedef std::vector<double> numbers;
typedef std::vector<std::string> names;
typedef std::vector<std::vector<size_t>> shapes;

struct bs_rng;
struct bs_model {
    stan_model model;
    std::string name, constrained[4], unconstrained;
    bs_model(stan::io::var_context &data, unsigned seed)
        : model(data, seed, NULL)
    {
    }
};

// ---- data: an object whose values are integers, reals, or lists of either ---

struct json_data {
    names real, whole;
    numbers real_values;
    std::vector<int> whole_values;
    shapes real_shapes, whole_shapes;
};

static void skip(std::istream &in, char wanted)
{
    char c;
    if (!(in >> c) || c != wanted)
        throw std::runtime_error("the data are no JSON that is read here");
}

static void read_value(std::istream &in, const std::string &name,
                       json_data &data)
{
    numbers x;
    bool list = (in >> std::ws).peek() == '[', whole = true;
    std::string text;
    if (list)
        skip(in, '[');
    while (!list || (in >> std::ws).peek() != ']') {
        text.clear();
        while (std::strchr("+-.eE0123456789", in.peek()) && in.peek() > 0)
            text += (char)in.get();
        if (text.empty())
            throw std::runtime_error("a number is missing in the data");
        whole &= text.find_first_of(".eE") == std::string::npos;
        x.push_back(std::atof(text.c_str()));
        if (!list)
            break;
        if ((in >> std::ws).peek() == ',')
            skip(in, ',');
    }
    if (list)
        skip(in, ']');
    std::vector<size_t> shape(list ? 1 : 0, x.size());
    (whole ? data.whole : data.real).push_back(name);
    (whole ? data.whole_shapes : data.real_shapes).push_back(shape);
    for (double value : x)
        if (whole)
            data.whole_values.push_back((int)value);
        else
            data.real_values.push_back(value);
}

static json_data read_data(const char *text)
{
    json_data data;
    std::istringstream in(text && *text ? text : "{}");
    skip(in, '{');
    while ((in >> std::ws).peek() == '"') {
        std::string name;
        skip(in, '"');
        std::getline(in, name, '"');
        skip(in, ':');
        read_value(in, name, data);
        if ((in >> std::ws).peek() == ',')
            skip(in, ',');
    }
    skip(in, '}');
    return data;
}

// ---- shared functions -------------------------------------------------------

template <class F> static int guarded(char **error, F f)
{
    std::string why = "of an unknown kind";
    try {
        f();
        return 0;
    } catch (const std::exception &e) {
        why = e.what();
    } catch (...) {
    }
    if (error)
        *error = strdup(why.c_str());
    return 1;
}

static names constrained(const bs_model *m, bool tp, bool gq)
{
    names out;
    m->model.constrained_param_names(out, tp, gq);
    return out;
}

static std::string joined(const names &all)
{
    std::string out;
    for (size_t i = 0; i < all.size(); i++)
        out += (i ? "," : "") + all[i];
    return out;
}

// ---- the interface ------------------------------------------------------------

extern "C" {
extern const int bs_major_version, bs_minor_version, bs_patch_version;
const int bs_major_version = 2, bs_minor_version = 6, bs_patch_version = 0;

bs_model *bs_model_construct(const char *data, unsigned seed, char **error)
{
    bs_model *m = NULL;
    guarded(error, [&] {
        json_data d = read_data(data);
        stan::io::array_var_context context(d.real, d.real_values,
                                            d.real_shapes, d.whole,
                                            d.whole_values, d.whole_shapes);
        m = new bs_model(context, seed);
        names u;
        m->model.unconstrained_param_names(u, false, false);
        m->unconstrained = joined(u);
        for (int i = 0; i < 4; i++)
            m->constrained[i] = joined(constrained(m, i & 1, i & 2));
        m->name = m->model.model_name();
    });
    return m;
}

void bs_model_destruct(bs_model *m)
{
    delete m;
}

void bs_free_error_msg(char *error)
{
    std::free(error);
}

const char *bs_name(const bs_model *m)
{
    return m->name.c_str();
}

const char *bs_model_info(const bs_model *)
{
    return "STAN_THREADS=false";
}

const char *bs_param_names(const bs_model *m, bool tp, bool gq)
{
    return m->constrained[tp + 2 * gq].c_str();
}

int bs_param_num(const bs_model *m, bool tp, bool gq)
{
    return (int)constrained(m, tp, gq).size();
}

const char *bs_param_unc_names(const bs_model *m)
{
    return m->unconstrained.c_str();
}

int bs_param_unc_num(const bs_model *m)
{
    return (int)m->model.num_params_r();
}

int bs_param_constrain(const bs_model *m, bool tp, bool gq, const double *u,
                       double *theta, bs_rng *, char **error)
{
    return guarded(error, [&] {
        random_numbers random(1);
        numbers x(u, u + m->model.num_params_r()), y;
        std::vector<int> none;
        const_cast<stan_model &>(m->model).write_array(random, x, none, y, tp,
                                                       gq, NULL);
        std::copy(y.begin(), y.end(), theta);
    });
}

int bs_param_unconstrain(const bs_model *m, const double *theta, double *u,
                         char **error)
{
    return guarded(error, [&] {
        names all, own;
        shapes dims, own_dims;
        size_t n = constrained(m, false, false).size(), used = 0;
        m->model.get_param_names(all);
        m->model.get_dims(dims);
        for (size_t i = 0; i < all.size() && used < n; i++) {
            size_t size = 1;
            for (size_t d : dims[i])
                size *= d;
            own.push_back(all[i]);
            own_dims.push_back(dims[i]);
            used += size;
        }
        stan::io::array_var_context context(own, numbers(theta, theta + n),
                                            own_dims);
        numbers x;
        std::vector<int> none;
        m->model.transform_inits(context, none, x, NULL);
        std::copy(x.begin(), x.end(), u);
    });
}

int bs_log_density_gradient(const bs_model *m, bool propto, bool jacobian,
                            const double *u, double *logp, double *g,
                            char **error)
{
    using stan::model::log_prob_grad;
    return guarded(error, [&] {
        numbers x(u, u + m->model.num_params_r()), slope;
        std::vector<int> none;
        const stan_model &model = m->model;
        *logp = propto ? jacobian ? log_prob_grad<true, true>(model, x, none,
                                                              slope)
                                  : log_prob_grad<true, false>(model, x, none,
                                                               slope)
                : jacobian
                    ? log_prob_grad<false, true>(model, x, none, slope)
                    : log_prob_grad<false, false>(model, x, none, slope);
        std::copy(slope.begin(), slope.end(), g);
    });
}

int bs_log_density(const bs_model *m, bool propto, bool jacobian,
                   const double *u, double *logp, char **error)
{
    numbers slope(m->model.num_params_r());
    return bs_log_density_gradient(m, propto, jacobian, u, logp, slope.data(),
                                   error);
}
}
