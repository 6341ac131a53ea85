// SPDX-License-Identifier: Apache-2.0
/// Models that are loaded: a frame of RK-4 on the Van der Pol FMU, by hild and by a loop by hand
/// over the same binary; and the same oscillator as a plug-in and built in.
#include <dlfcn.h>

#include <array>
#include <memory>

#include "bench/cases.hpp"
#include "foreign/contain/process.hpp"
#include "foreign/fmu/load.hpp"
#include "foreign/plugin/load.hpp"
#include "hild/model/registry.hpp"
#include "hild/model/steps_elsewhere.hpp"
#include "hild/numerics/methods.hpp"

namespace {

using namespace hild;
using bench::Work;

constexpr Duration h{10'000};
constexpr const char* fmu_file = HILD_FMUS "/van_der_pol_2.fmu";
constexpr const char* fmu_binary = HILD_FMUS "/van_der_pol_2/binaries/linux64/van_der_pol.so";

/// A frame: a step with an input that holds in it and changes from one to the next, then the
/// outputs.
Work frames(std::shared_ptr<model::Stepper> plant) {
  return [plant, t = SimTime{}](int count) mutable {
    std::array<double, 2> y{};
    for (int n = 0; n < count; ++n, t += h) {
      const std::array u{n % 2 == 0 ? 0.0 : 0.1};
      plant->step(t, h, u);
      plant->outputs(seconds(t + h), u, y);
      benchmark::DoNotOptimize(y);
    }
  };
}

/// The same as the frame loop takes it, which looks at its clock after every pass.
Work frames_by_passes(std::shared_ptr<model::Stepper> plant) {
  auto* const elsewhere = model::steps_elsewhere(*plant);
  return [plant, elsewhere, t = SimTime{}](int count) mutable {
    std::array<double, 2> y{};
    for (int n = 0; n < count; ++n, t += h) {
      const std::array u{n % 2 == 0 ? 0.0 : 0.1};
      const int passes = plant->begin(t, h).count();
      complete_step(*plant, elsewhere, passes, [&](int) noexcept { return model::Stepper::In(u); });
      plant->outputs(seconds(t + h), u, y);
      benchmark::DoNotOptimize(y);
    }
  };
}

std::shared_ptr<model::Stepper> fmu_plant() {
  auto loaded = fmu::load(fmu_file);
  if (!loaded) std::fprintf(stderr, "%s\n", loaded.error().message.c_str()), std::abort();
  return loaded->make(numerics::rk4);
}

std::shared_ptr<model::Stepper> contained_plant() {
  const auto source = contain::ModelSource::fmu(fmu_file, {});
  if (!source) std::abort();
  auto made =
      contain::contained(*source, &numerics::rk4, {.answer_within = Duration{10'000'000'000}});
  if (!made) std::abort();
  return std::move(*made);
}

/// The same in a process of its own: the least trip there and back there is, on this machine.
Work fmu_contained() { return frames(contained_plant()); }
Work fmu_contained_passes() { return frames_by_passes(contained_plant()); }

/// The functions of the FMU's binary that a frame takes.
struct Binary {
  void* library = ::dlopen(fmu_binary, RTLD_NOW | RTLD_LOCAL);
  template <class Function>
  Function find(const char* name) const {
    void* const found = library == nullptr ? nullptr : ::dlsym(library, name);
    if (found == nullptr) std::fprintf(stderr, "%s\n", ::dlerror()), std::abort();
    return reinterpret_cast<Function>(found);
  }
};

struct Callbacks {
  void (*log)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(std::size_t, std::size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
};

void log_nothing(void* /*to*/, const char* /*name*/, int /*status*/, const char* /*category*/,
                 const char* /*format*/, ...) {}

/// What a person would write around those functions: RK-4, every status looked at.
class ByHand {
 public:
  ByHand() {
    const Binary b;
    const auto instantiate =
        b.find<void* (*)(const char*, int, const char*, const char*, const Callbacks*, int, int)>(
            "fmi2Instantiate");
    static const Callbacks callbacks{log_nothing, std::calloc, std::free, nullptr, nullptr};
    c_ = instantiate("by hand", 0, "{12345678}", "", &callbacks, 0, 0);
    if (c_ == nullptr) std::abort();
    set_time_ = b.find<int (*)(void*, double)>("fmi2SetTime");
    set_states_ = b.find<int (*)(void*, const double*, std::size_t)>("fmi2SetContinuousStates");
    derivatives_ = b.find<int (*)(void*, double*, std::size_t)>("fmi2GetDerivatives");
    set_real_ = b.find<int (*)(void*, const unsigned*, std::size_t, const double*)>("fmi2SetReal");
    get_real_ = b.find<int (*)(void*, const unsigned*, std::size_t, double*)>("fmi2GetReal");
    completed_ = b.find<int (*)(void*, int, int*, int*)>("fmi2CompletedIntegratorStep");
    enter_ = b.find<int (*)(void*)>("fmi2EnterEventMode");
  }

  bool frame(double t, double step, double u) {
    constexpr unsigned drive = 5;  // value references, as described
    constexpr std::array<unsigned, 2> read{0, 1};
    bool good = set_time_(c_, t) <= 1 && set_real_(c_, &drive, 1, &u) <= 1;
    good = good && at(t, x_, k1_);
    for (std::size_t i = 0; i < 2; ++i) z_[i] = x_[i] + step / 2 * k1_[i];
    good = good && at(t + step / 2, z_, k2_);
    for (std::size_t i = 0; i < 2; ++i) z_[i] = x_[i] + step / 2 * k2_[i];
    good = good && at(t + step / 2, z_, k3_);
    for (std::size_t i = 0; i < 2; ++i) z_[i] = x_[i] + step * k3_[i];
    good = good && at(t + step, z_, k4_);
    for (std::size_t i = 0; i < 2; ++i) {
      x_[i] += step / 6 * (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]);
    }
    int event = 0;
    int terminate = 0;
    good = good && set_time_(c_, t + step) <= 1 && set_states_(c_, x_.data(), 2) <= 1 &&
           get_real_(c_, read.data(), 2, y_.data()) <= 1 &&
           completed_(c_, 1, &event, &terminate) <= 1 && terminate == 0;
    if (good && event != 0) good = enter_(c_) <= 1;
    benchmark::DoNotOptimize(y_);
    return good;
  }

 private:
  using Vector = std::array<double, 2>;
  bool at(double t, const Vector& x, Vector& dx) {
    return set_time_(c_, t) <= 1 && set_states_(c_, x.data(), 2) <= 1 &&
           derivatives_(c_, dx.data(), 2) <= 1;
  }
  void* c_;
  int (*set_time_)(void*, double);
  int (*set_states_)(void*, const double*, std::size_t);
  int (*derivatives_)(void*, double*, std::size_t);
  int (*set_real_)(void*, const unsigned*, std::size_t, const double*);
  int (*get_real_)(void*, const unsigned*, std::size_t, double*);
  int (*completed_)(void*, int, int*, int*);
  int (*enter_)(void*);
  Vector x_{2, 0}, z_{}, k1_{}, k2_{}, k3_{}, k4_{}, y_{};
};

Work fmu_by_hand() {
  return [by_hand = ByHand(), t = SimTime{}](int count) mutable {
    for (int n = 0; n < count; ++n, t += h) {
      if (!by_hand.frame(seconds(t), seconds(h), n % 2 == 0 ? 0.0 : 0.1)) std::abort();
    }
  };
}

Work whole_steps(std::shared_ptr<model::Stepper> plant) {
  if (!plant->compiled_together()) std::abort();
  return [plant, t = SimTime{}](int count) mutable {
    plant->advance(t, h, count, std::array{0.0});
    t += h * count;
    benchmark::DoNotOptimize(plant->states().data());
    benchmark::ClobberMemory();
  };
}

std::shared_ptr<model::Stepper> built_in() {
  return model::find_model("van-der-pol")->make(numerics::rk4);
}

std::shared_ptr<model::Stepper> plugged_in() {
  const auto loaded = plugin::load(HILD_PLUGINS "/van_der_pol.so");
  if (!loaded) std::fprintf(stderr, "%s\n", loaded.error().message.c_str()), std::abort();
  return (*loaded)->make(numerics::rk4);
}

}  // namespace

int main(int count, char** arguments) {
  return bench::Cases()
      .add("fmu_hild", [] { return frames(fmu_plant()); })
      .add("fmu_passes", [] { return frames_by_passes(fmu_plant()); })
      .add("fmu_hand", fmu_by_hand)
      .add("fmu_contained", fmu_contained)
      .add("fmu_contained_passes", fmu_contained_passes)
      .add("plugin", [] { return whole_steps(plugged_in()); })
      .add("builtin", [] { return whole_steps(built_in()); })
      .add("plugin_frames", [] { return frames_by_passes(plugged_in()); })
      .add("builtin_frames", [] { return frames_by_passes(built_in()); })
      .main(count, arguments);
}
