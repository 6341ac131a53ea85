// SPDX-License-Identifier: Apache-2.0
/// \file
/// Equations whose model runs in another process. While there is no answer, outputs and event
/// functions keep their values, derivatives are 0, and events do not act. Real-time safe after
/// construction.
#pragma once

#include <limits>
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
  /// The answer that came last told the outputs and event functions at t, in seconds, with these
  /// states and inputs: they are not asked for again until anything else is.
  void take_end(double t, In x, In u) noexcept;
  /// The result of an unsent start() is not needed any more.
  void forget_start() noexcept { start_unsent_ = false; }

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
  // What outputs_ and events_ belong to, as long as no further answer has come.
  struct Told {
    std::uint32_t answers = 0;
    double t = std::numeric_limits<double>::quiet_NaN();  // not a number: nothing is
    std::vector<double> x, u;
  };

  [[nodiscard]] bool told(double t, In x, In u) const noexcept;
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
  std::vector<double> outputs_, events_;  // the last values
  Told told_;
  std::vector<double> given_;         // parameters as an event left them
  std::vector<std::uint8_t> unsent_;  // parameters set while an answer was overdue
  bool initial_unsent_ = false;
  bool start_unsent_ = false;
};

}  // namespace hild::remote
