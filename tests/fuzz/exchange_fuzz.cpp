// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whatever the process of a contained model writes into what it shares with hild, the plant here
/// stays one: its passes are those of its method, counts do not fall, time events lie ahead, names
/// can be read, and once a word was out of its bounds the process is ended, and nothing of it is
/// taken any more. No process is started: each call finds an answer of these bytes, or several, or
/// none.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "foreign/remote/stepper.hpp"
#include "hild/numerics/methods.hpp"

namespace {

using namespace hild;

constexpr std::array states{model::State{"x"}, model::State{"v"}};
constexpr std::array inputs{model::Input{"u"}};
constexpr std::array outputs{model::Output{"y"}};
constexpr std::array parameters{model::Parameter{"p", "1", 1.0}};
constexpr std::array events{model::Event{"e"}};

/// Takes bytes from the front; zeros when there are no more.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}
  [[nodiscard]] bool any() const { return left_ > 0; }
  void take(void* to, std::size_t size) {
    const std::size_t n = std::min(size, left_);
    std::memset(to, 0, size);
    std::memcpy(to, at_, n);
    at_ += n;
    left_ -= n;
  }
  std::uint8_t one() {
    std::uint8_t value = 0;
    take(&value, 1);
    return value;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

class Witness final : public remote::Keeper {
 public:
  explicit Witness(int& ends) : ends_(ends) {}
  void end(const remote::Breach& why) noexcept override {
    if (why.word == nullptr || why.expected == nullptr) std::abort();
    ++ends_;
  }

 private:
  int& ends_;
};

struct Exchange {
  Exchange(const numerics::Method& method, Bytes from) : bytes(from) {
    const model::Description d{.name = "fuzzed",
                               .summary = "what comes back",
                               .states = states,
                               .inputs = inputs,
                               .outputs = outputs,
                               .parameters = parameters,
                               .events = events,
                               .time_events = true};
    auto exchange = std::make_unique<remote::Shared>(remote::sizes_of(d));
    shared = exchange.get();
    answer();
    remote::Link link(std::move(exchange), std::make_unique<Witness>(ends), Duration{1},
                      method.starter != nullptr, true);
    plant = std::make_unique<remote::RemoteStepper>(d, method, std::move(link));
    passes = method.passes;
  }

  /// What the process does before it is looked at.
  void answer() {
    const int rings = bytes.one() % 4;  // none: it is late
    bytes.take(&shared->header().reply, sizeof(remote::ModelReply));
    const std::array vectors{
        shared->out,     shared->states, shared->start_states, shared->start_derivatives,
        shared->outputs, shared->events, shared->slopes,       shared->error};
    for (const auto& v : vectors) bytes.take(v.data(), v.size_bytes());
    bytes.take(shared->piece.data(), 64);
    for (int i = 0; i < rings; ++i) shared->header().answered.ring();
  }

  void call(std::uint8_t what) {
    const SimTime t{now += 1'000'000};
    std::array<double, 4> to{};
    const auto x = std::span(to).first(2);
    const std::array u{1.0};
    switch (what % 22) {
      case 0:
        return void(passes = plant->begin(t, Duration{1'000'000}).count());
      case 1:
        return plant->pass(what / 22 % passes, u);
      case 2:
        return plant->finish();
      case 3:
        return void(plant->finish_early());
      case 4:
        return plant->reset();
      case 5:
        return void(plant->dense(0.5, x));
      case 6:
        return void(plant->error_estimate(x));
      case 7:
        return plant->rewind();
      case 8:
        return plant->restart(what > 128 ? model::Restart::here : model::Restart::from_states);
      case 9:
        return plant->system().derivatives(0, x, u, x);
      case 10:
        return void(plant->system().jacobian(0, x, u, {to.data(), 2, numerics::dense}));
      case 11:
        return plant->outputs(0, u, std::span(to).first(1));
      case 12:
        return plant->system().event_functions(0, x, u, std::span(to).first(1));
      case 13:
        return plant->system().on_event(0, 0, plant->states(), u);
      case 14:
        if (plant->system().next_time_event(t) <= t) std::abort();
        return;
      case 15:
        return keep(Archive::measuring());
      case 16:
        return keep(Archive::saving(kept, {}));
      case 17:
        passes = plant->advance(t, Duration{1'000'000}, 1, u).count();
        return look_at(t);
      case 18:
        plant->ask_step(t, Duration{1'000'000}, u);
        answer();
        passes = plant->take_asked_step().count();
        return look_at(t);
      case 19:
        return look_at(t);
      case 20:
        plant->pass_and_finish(what / 22 % passes, u);
        return look_at(t);
      default:
        return plant->system().on_time_event(0, plant->states(), u);
    }
  }

  /// What is asked for at the ends of a step from t.
  void look_at(SimTime t) {
    const SimTime end = t + Duration{1'000'000};
    std::array<double, 4> to{};
    const auto x = std::span(to).first(2);
    const std::array u{1.0};
    plant->outputs(seconds(end), u, std::span(to).first(1));
    plant->system().event_functions(seconds(end), plant->states(), u, std::span(to).first(1));
    plant->system().derivatives(seconds(end), plant->states(), u, x);
    plant->error_estimate(x);
    if (plant->system().next_time_event(t) <= t) std::abort();
    if (plant->system().next_time_event(end) <= end) std::abort();
  }

  /// What it saves fits into what it measured, or it says why there is none.
  void keep(Archive archive) {
    plant->transfer(archive, model::between_steps);
    if (archive.measures() && archive.good()) kept.resize(archive.bytes());
    const Archive::Problem& problem = archive.problem();
    const bool refused = problem.kind == Archive::Problem::Kind::cannot;
    if (refused ? problem.what == nullptr : !archive.good() && !kept.empty()) std::abort();
  }

  void judge() {
    const numerics::Method& m = plant->method();
    const bool of_method =
        passes == m.passes || (m.starter != nullptr && passes == m.starter->passes);
    if (!of_method) std::abort();
    const model::CapCounts& cut = *plant->system().cap_counts();
    if (cut.event_iterations < before.event_iterations || cut.zero_advance < before.zero_advance ||
        cut.step_parts < before.step_parts || cut.late_answers < before.late_answers) {
      std::abort();
    }
    if (cut.event_iterations > remote::most_counted) std::abort();
    before = cut;
    if (const char* const name = plant->system().failed_function()) {
      if (std::strlen(name) >= sizeof(remote::ModelReply::function)) std::abort();
    }
    if (ends > 1 || (ends == 1) != plant->link().breach().has_value()) std::abort();
    if (ends == 1 && (!cut.owes || !cut.gone)) std::abort();
    const std::vector<double> now_at(plant->states().begin(), plant->states().end());
    const bool moved = std::memcmp(now_at.data(), last.data(), sizeof last) != 0;
    if (was_broken && moved) std::abort();
    std::ranges::copy(now_at, last.begin());
    was_broken = ends == 1;
  }

  Bytes bytes;
  int ends = 0;
  remote::Shared* shared = nullptr;
  std::unique_ptr<remote::RemoteStepper> plant;
  std::vector<std::byte> kept;  // its state
  int passes = 0;               // of the last step begun
  std::int64_t now = 0;
  model::CapCounts before{};
  std::array<double, 2> last{};
  bool was_broken = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::array methods{&numerics::forward_euler, &numerics::ab4, &numerics::rtam2,
                           &numerics::ode45};
  Exchange exchange(*methods[bytes.one() % methods.size()], bytes);
  exchange.judge();
  while (exchange.bytes.any()) {
    const std::uint8_t what = exchange.bytes.one();
    exchange.answer();
    exchange.call(what);
    exchange.judge();
  }
  return 0;
}
