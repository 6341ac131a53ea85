// SPDX-License-Identifier: Apache-2.0
/// \file
/// Equations whose model runs in another process. While there is no answer, outputs and event
/// functions keep their values, derivatives are 0, and events do not act. Real-time safe after
/// construction.
#pragma once

#include <cstdint>
#include <vector>

#include "foreign/remote/link.hpp"

namespace hild::remote {

class RemoteSystem final : public model::System {
 public:
  /// Whether it is used alone, or as part of a stepper, whose steps bound the waiting.
  enum class Use { alone, stepped };
  RemoteSystem(const model::Description& d, Link link, Use use);

  [[nodiscard]] Link& link() noexcept { return link_; }
  [[nodiscard]] const Link& link() const noexcept { return link_; }
  /// Sends what was set while an answer was overdue. True: start() was called meanwhile, and must
  /// be called again.
  [[nodiscard]] bool make_up() noexcept;
  /// Asks for what ends a step, and for what follows at its end: as Link::send_step().
  bool send_step(Call call, SimTime t, Duration h, double end, In u) noexcept;
  /// The answer to it has come, which told of the end of the step from t to `end`, there with
  /// states `x` and inputs `u`: what was told is not asked for again as long as the model stays the
  /// same.
  void take_end(SimTime t, SimTime end, In x, In u) noexcept;
  /// The estimated error of that step. False: there is none.
  bool error_estimate(Out error) const noexcept;
  /// The result of an unsent start() is not needed any more.
  void forget_start() noexcept { unsent_.start = false; }

  /// What is known here of the model, and its state there.
  void transfer(Archive& archive, int made) noexcept;

  [[nodiscard]] const model::Description& description() const noexcept override { return d_; }
  void set_initial(In states) override;
  void start(Out x) noexcept override;
  void set_parameter(std::size_t index, double value) noexcept override;
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }
  void derivatives(double t, In x, In u, Out dx) noexcept override;
  bool jacobian(double t, In x, In u, numerics::Jacobian j) noexcept override;
  void outputs(double t, In x, In u, Out y) noexcept override;
  void event_functions(double t, In x, In u, Out g) noexcept override;
  void on_event(std::size_t index, double t, Out x, In u) noexcept override;
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override;
  void on_time_event(double t, Out x, In u) noexcept override;
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &link_.cap_counts();
  }
  [[nodiscard]] const char* failed_function() const noexcept override;

 private:
  // Values of the model that it told, and what they belong to. Comparisons are of bits: what is
  // told again is what would be answered.
  class Told {
   public:
    // `matter`: indices of the inputs that they depend on.
    Told(std::size_t values, std::size_t states, std::vector<std::size_t> matter)
        : values_(values), matter_(std::move(matter)), x_(states), u_(matter_.size()) {}
    // The last ones.
    [[nodiscard]] std::span<double> values() noexcept { return values_; }
    void note(std::uint32_t changes, double t, In x, In u) noexcept;
    [[nodiscard]] bool is(std::uint32_t changes, double t, In x, In u) const noexcept;

   private:
    std::vector<double> values_;
    std::vector<std::size_t> matter_;
    bool any_ = false;
    std::uint32_t changes_ = 0;
    double t_ = 0;
    std::vector<double> x_, u_;
  };
  // The step that ended last, as long as nothing has changed the model.
  struct End {
    bool any = false;
    std::uint32_t changes = 0;
    SimTime start{}, end{};
    SimTime next_from_start{}, next{};
    bool estimated = false;
  };
  // What was set while an answer was overdue.
  struct Unsent {
    std::vector<std::uint8_t> parameters;
    bool initial = false;
    bool start = false;
  };

  [[nodiscard]] bool told(const Told& of, double t, In x, In u) const noexcept {
    return !link_.lost() && of.is(link_.changes(), t, x, u);
  }
  [[nodiscard]] bool still_at_end() const noexcept {
    return end_.any && !link_.lost() && end_.changes == link_.changes();
  }
  void between_steps() const noexcept {
    if (use_ == Use::alone) link_.renew();
  }
  void send_parameter(std::size_t index) noexcept;
  void take_what_an_event_left(Out x) noexcept;
  void send_initial() noexcept;

  model::Description d_;
  mutable Link link_;
  Use use_;
  std::vector<double> parameters_, initial_;
  Told outputs_, events_, slopes_;
  bool slopes_wanted_ = false;  // were asked for at the end of the last step
  End end_;
  std::vector<double> error_;  // of the step that ended last
  std::vector<double> given_;  // parameters as an event left them
  Unsent unsent_;
};

}  // namespace hild::remote
