// SPDX-License-Identifier: Apache-2.0
/// \file
/// A plant whose model runs in another process. Each call is one wake-up and one bounded wait; a
/// step, from one begin() to the next, waits for `answer_within` in all, and so does a call between
/// steps. What is not answered in that time abandons the step: the plant keeps the states and
/// outputs it has, counts every step it is without an answer, and goes on from there when the
/// answer comes. What is answered is held against bounds fixed at load (bounds.hpp): a reply beyond
/// them is the end of the process, from which on nothing of it is used and the step is without an
/// answer, as is every later one. `cap_counts()` tells meanwhile that an answer is owed, and that
/// none will come where the process has ended.
/// Real-time safe after construction.
#pragma once

#include <memory>
#include <vector>

#include "remote/bounds.hpp"

namespace hild::remote {

class RemotePlant final : public model::Plant {
 public:
  /// `shared` has been answered through once, a reset(); `process` goes with the plant.
  RemotePlant(const model::Description& d, const numerics::Method& method,
              std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process,
              Duration answer_within);

  /// Why its process was ended; none: it was not.
  [[nodiscard]] const std::optional<Breach>& breach() const noexcept { return breach_; }

  [[nodiscard]] const model::Description& description() const noexcept override { return d_; }
  [[nodiscard]] const numerics::Method& method() const noexcept override { return method_; }
  [[nodiscard]] bool compiled_together() const noexcept override { return known_.together; }

  void set_initial(In states) override;
  void reset() noexcept override;
  void set_states(In states) noexcept override;
  void set_parameter(std::size_t index, double value) noexcept override;
  [[nodiscard]] double parameter(std::size_t i) const noexcept override { return parameters_[i]; }

  void begin(SimTime t, Duration h) noexcept override;
  // Those of a method follow from it, and need not be asked for.
  [[nodiscard]] int passes() const noexcept override { return active().passes; }
  [[nodiscard]] double node(int pass) const noexcept override {
    return active().node(pass).value();
  }
  [[nodiscard]] bool starting() const noexcept override { return starting_; }
  void pass(int pass, In u) noexcept override;
  void finish() noexcept override;
  bool finish_early() noexcept override;
  bool shorten(double theta) noexcept override;
  bool dense(double theta, Out x) const noexcept override;
  bool error_estimate(Out error) const noexcept override;
  void rewind() noexcept override;
  void restart() noexcept override;

  [[nodiscard]] In states() const noexcept override { return states_; }
  [[nodiscard]] In start_states() const noexcept override { return start_states_; }
  [[nodiscard]] In start_derivatives() const noexcept override { return start_derivatives_; }

  void derivatives(double t, In x, In u, Out dx) noexcept override;
  bool jacobian(double t, In x, In u, Out j) noexcept override;
  void outputs(double t, In u, Out y) noexcept override;
  bool outputs_at(double t, In x, In u, Out y) noexcept override;
  bool pass_outputs(int pass, In u, Out y) noexcept override;
  void event_functions(double t, In x, In u, Out g) noexcept override;
  void on_event(std::size_t index, double t, In u) noexcept override;
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept override;
  void on_time_event(double t, In u) noexcept override;

  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept override {
    return &known_.cap_counts;
  }
  [[nodiscard]] const char* failed_function() const noexcept override;

 private:
  [[nodiscard]] Header& header() const noexcept { return shared_->header(); }
  [[nodiscard]] const numerics::Method& active() const noexcept {
    return starting_ ? *method_.starter : method_;
  }
  bool take_reply() const noexcept;
  void break_off(const Breach& why) const noexcept;
  bool ask(Call call) const noexcept;
  bool ask(Call call, double number, In x, In u) const noexcept;
  bool ask_for(Call call, double number, In x, In u, Out out) const noexcept;
  bool move(Call call) noexcept;
  void take_states() noexcept;
  void send_parameter(std::size_t index) noexcept;
  void owe() const noexcept;
  void find_again() noexcept;
  void go_on(Call call) noexcept;
  void slip(SimTime t) noexcept;

  model::Description d_;
  numerics::Method method_;
  std::unique_ptr<Shared> shared_;
  std::unique_ptr<Keeper> process_;
  Duration answer_within_;
  std::vector<double> states_, start_states_, start_derivatives_, parameters_;
  std::vector<double> outputs_, events_;  // the last ones
  std::vector<std::uint8_t> unsent_;      // parameters set while an answer was overdue
  Call going_on_ = Call::set_states;      // how, once it comes
  bool starting_ = false;
  // Of a model that hild sees no states of: it keeps a time of its own.
  bool own_time_ = false;
  SimTime reached_{};  // there
  SimTime t_{};
  Duration h_{};                     // of the step under way there
  Duration lag_{};                   // of it behind hild's
  mutable Call call_ = Call::reset;  // the last that was asked
  mutable SimTime asked_{};          // and with which time, where it is asked with one
  mutable Reply reply_;              // the last that was taken, within its bounds
  mutable Known known_;
  mutable std::optional<Breach> breach_;
  mutable std::uint32_t answers_ = 0;
  mutable Duration left_;      // to wait
  mutable bool lost_ = false;  // an answer is overdue
  mutable bool step_lost_ = false;
};

}  // namespace hild::remote
