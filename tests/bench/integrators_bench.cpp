// SPDX-License-Identifier: Apache-2.0
/// Steps of RK-4 on Van der Pol's oscillator and on Cellier's circuit with load: by hild, as many
/// at once and a call each; by hand; by Boost.odeint and by SUNDIALS' ERKStep. And behind
/// derivatives compiled apart, of a size known when running.
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include <boost/numeric/odeint.hpp>
#include <vector>

#include "bench/by_hand.hpp"
#include "bench/cases.hpp"
#include "bench/opaque.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/methods.hpp"

namespace {

using namespace hild;
using bench::Work;

constexpr Duration h{10'000};  // at which the circuit's derivatives are still of ordinary size
constexpr Duration h_circuit{100};

/// What differs between the two.
struct OneModel {
  const char* model;
  bench::Derivative derivative;
  Duration h;
};
constexpr OneModel oscillator{"van-der-pol", &bench::van_der_pol, h};
constexpr OneModel load{"oscillator-load", &bench::circuit, h_circuit};

Work by_hild(const OneModel& of, bool one_at_a_time) {
  std::shared_ptr<model::Stepper> plant = model::find_model(of.model)->make(numerics::rk4);
  if (!plant->compiled_together()) std::abort();
  return [plant, t = SimTime{}, each = of.h, one_at_a_time](int steps) mutable {
    const std::array u{0.0};
    for (int n = 0; one_at_a_time && n < steps; ++n) plant->step(t + each * n, each, u);
    if (!one_at_a_time) plant->advance(t, each, steps, u);
    t += each * steps;
    benchmark::DoNotOptimize(plant->states().data());
    benchmark::ClobberMemory();
  };
}

Work by_passes(const OneModel& of) {
  std::shared_ptr<model::Stepper> plant = model::find_model(of.model)->make(numerics::rk4);
  return [plant, t = SimTime{}, each = of.h](int steps) mutable {
    const std::array u{0.0};
    for (int n = 0; n < steps; ++n, t += each) {
      const int passes = plant->begin(t, each).count();
      for (int i = 0; i < passes; ++i) plant->pass(i, u);
      plant->finish();
    }
  };
}

/// A loop of by_hand.hpp over so many steps.
template <class Model, auto Loop>
Work by_hand(const OneModel& of) {
  return [x = Model::start, each = seconds(of.h)](int steps) mutable {
    Model f;
    double u = 0;
    benchmark::DoNotOptimize(f);  // its parameters are not known to the compiler
    benchmark::DoNotOptimize(u);
    benchmark::DoNotOptimize(x);
    auto now = x;
    Loop(f, now, u, each, steps);
    x = now;
    benchmark::DoNotOptimize(x);
  };
}

/// The same protocol by hand.
template <class Model>
Work passes_by_hand(const OneModel& of) {
  std::shared_ptr<bench::ByPasses> method = std::make_shared<bench::RungeKutta4<Model>>();
  return [method, each = seconds(of.h)](int steps) mutable {
    benchmark::DoNotOptimize(method);  // nor is what it is
    double u = 0;
    benchmark::DoNotOptimize(u);
    for (int n = 0; n < steps; ++n) {
      method->begin(each);
      for (int i = 0; i < 4; ++i) method->pass(i, u);
      method->finish();
    }
  };
}

/// The kernel over the right side of by_hand.hpp, compiled together.
template <class Model, const numerics::Method& M>
Work by_kernel(const OneModel& of) {
  using Space = numerics::Static<Model::n>;
  auto step = std::make_shared<numerics::ExplicitStep<Space, numerics::Fixed<M>>>(
      Space{}, numerics::Fixed<M>{});
  std::copy(Model::start.begin(), Model::start.end(), step->state().begin());
  return [step, t = SimTime{}, each = of.h](int steps) mutable {
    Model known;
    double input = 0;
    benchmark::DoNotOptimize(known);
    benchmark::DoNotOptimize(input);
    const Model f = known;
    const double u = input;
    step->advance(t, each, steps, [&](double /*at*/, auto x, auto dx) noexcept { f(x, u, dx); });
    t += each * steps;
    benchmark::DoNotOptimize(step->state().data());
    benchmark::ClobberMemory();
  };
}

template <class Model>
Work by_odeint(const OneModel& of) {
  using State = std::array<double, Model::n>;
  using Stepper = boost::numeric::odeint::runge_kutta4<State, double, State, double,
                                                       boost::numeric::odeint::array_algebra>;
  return [x = Model::start, each = seconds(of.h)](int steps) mutable {
    Model f;
    double u = 0;
    benchmark::DoNotOptimize(f);
    benchmark::DoNotOptimize(u);
    benchmark::DoNotOptimize(x);
    Stepper stepper;
    auto now = x;
    const auto system = [&](const State& at, State& dx, double /*t*/) { f(at, u, dx); };
    for (int n = 0; n < steps; ++n) stepper.do_step(system, now, n * each, each);
    x = now;
    benchmark::DoNotOptimize(x);
  };
}

/// The classical tableau at a fixed step, a step each call.
template <class Model>
class ErkStep {
 public:
  explicit ErkStep(const OneModel& of) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(Model::n, context_);
    std::copy(Model::start.begin(), Model::start.end(), N_VGetArrayPointer(y_));
    memory_ = ERKStepCreate(&derivative, 0, y_, context_);
    std::array<double, 4> c{0, 0.5, 0.5, 1};
    std::array<double, 16> a{0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0};
    std::array<double, 4> b{1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    ERKStepSetTable(memory_,
                    ARKodeButcherTable_Create(4, 4, 0, c.data(), a.data(), b.data(), nullptr));
    ERKStepSetFixedStep(memory_, seconds(of.h));
    ERKStepSetMaxNumSteps(memory_, -1);
  }
  ErkStep(const ErkStep&) = delete;
  ErkStep& operator=(const ErkStep&) = delete;
  ~ErkStep() {
    ERKStepFree(&memory_);
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }

  void steps(int count) {
    double t = 0;
    for (int n = 0; n < count; ++n) {
      if (ERKStepEvolve(memory_, 1e9, y_, &t, ARK_ONE_STEP) < 0) std::abort();
    }
  }

 private:
  static int derivative(double /*t*/, N_Vector y, N_Vector dy, void* /*user*/) {
    static const Model f;
    double* const dx = N_VGetArrayPointer(dy);
    f(N_VGetArrayPointer(y), 0.0, dx);
    return 0;
  }
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  void* memory_ = nullptr;
};

template <class Model>
Work by_erkstep(const OneModel& of) {
  return [step = std::make_shared<ErkStep<Model>>(of)](int steps) { step->steps(steps); };
}

// ---- a rate of which no period is whole --------------------------------------------------------

/// RTAM-4 over the frames of 3 kHz, or over as many of the nanoseconds next to them.
Work rtam_4(const OneModel& of, bool of_a_rate) {
  std::shared_ptr<model::Stepper> plant = model::find_model(of.model)->make(numerics::rtam4);
  return [plant, n = std::int64_t{0}, of_a_rate](int steps) mutable {
    const auto tick = [&](std::int64_t frame) {
      return SimTime{of_a_rate ? frame * 1'000'000'000 / 3000 : frame * 333'333};
    };
    const std::array u{0.0};
    for (const std::int64_t end = n + steps; n < end; ++n) {
      plant->step(tick(n), tick(n + 1) - tick(n), u);
    }
  };
}

// ---- derivatives compiled apart, sizes known when running --------------------------------------

/// A value of which the compiler knows nothing.
template <class T>
T hidden(T value) {
  const volatile T kept = value;
  return kept;
}

template <class Model, class Tableau>
Work opaque(const OneModel& of, Tableau tableau) {
  auto step = std::make_shared<numerics::ExplicitStep<numerics::Dynamic, Tableau>>(
      numerics::Dynamic(Model::n), tableau);
  std::copy(Model::start.begin(), Model::start.end(), step->state().begin());
  const bench::Derivative f = hidden(of.derivative);
  return [step, f, t = SimTime{}, each = of.h](int steps) mutable {
    step->advance(t, each, steps, [&](double at, auto x, auto dx) noexcept {
      f(at, x.data(), 0.0, dx.data(), x.size());
    });
    t += each * steps;
  };
}

template <class Model>
Work opaque_by_hand(const OneModel& of) {
  const bench::Derivative f = hidden(of.derivative);
  const std::size_t size = hidden(Model::n);
  std::vector<double> start(Model::start.begin(), Model::start.end());
  return [f, size, x = start, k1 = start, k2 = start, k3 = start, k4 = start, at = start, now = 0.0,
          each = seconds(of.h)](int steps) mutable {
    for (int n = 0; n < steps; ++n, now += each) {
      f(now, x.data(), 0.0, k1.data(), size);
      for (std::size_t i = 0; i < size; ++i) at[i] = x[i] + each / 2 * k1[i];
      f(now + each / 2, at.data(), 0.0, k2.data(), size);
      for (std::size_t i = 0; i < size; ++i) at[i] = x[i] + each / 2 * k2[i];
      f(now + each / 2, at.data(), 0.0, k3.data(), size);
      for (std::size_t i = 0; i < size; ++i) at[i] = x[i] + each * k3[i];
      f(now + each, at.data(), 0.0, k4.data(), size);
      for (std::size_t i = 0; i < size; ++i) {
        x[i] += each / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      }
    }
  };
}

template <class Model>
void add(bench::Cases& cases, const std::string& name, const OneModel& of) {
  using numerics::ab3, numerics::Chosen, numerics::Fixed, numerics::rk4, numerics::rtam2;
  cases.add(name + "_hild", [=] { return by_hild(of, false); })
      .add(name + "_hild_each", [=] { return by_hild(of, true); })
      .add(name + "_hild_passes", [=] { return by_passes(of); })
      .add(name + "_hand_passes", [=] { return passes_by_hand<Model>(of); })
      .add(name + "_hand", [=] { return by_hand<Model, bench::runge_kutta_4<Model>>(of); })
      .add(name + "_ab_3", [=] { return by_kernel<Model, ab3>(of); })
      .add(name + "_ab_3_hand", [=] { return by_hand<Model, bench::adams_bashforth_3<Model>>(of); })
      .add(name + "_rtam_2", [=] { return by_kernel<Model, rtam2>(of); })
      .add(name + "_rtam_2_hand", [=] { return by_hand<Model, bench::rtam_2<Model>>(of); })
      .add(name + "_odeint", [=] { return by_odeint<Model>(of); })
      .add(name + "_erkstep", [=] { return by_erkstep<Model>(of); })
      .add(name + "_opaque_fixed", [=] { return opaque<Model>(of, Fixed<rk4>{}); })
      .add(name + "_opaque_chosen", [=] { return opaque<Model>(of, Chosen(rk4)); })
      .add(name + "_opaque_hand", [=] { return opaque_by_hand<Model>(of); });
}

}  // namespace

int main(int count, char** arguments) {
  bench::Cases cases;
  add<bench::VanDerPol>(cases, "van_der_pol", oscillator);
  add<bench::Circuit>(cases, "circuit", load);
  cases.add("rtam_4_rate", [] { return rtam_4(oscillator, true); });
  cases.add("rtam_4_period", [] { return rtam_4(oscillator, false); });
  return cases.main(count, arguments);
}
