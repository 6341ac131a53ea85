// SPDX-License-Identifier: Apache-2.0
/// \file
/// The step of a model in the background: who orders it gives it the inputs of one pass after the
/// other, and who takes it, on whatever thread, finds them here. What is to be changed of the model
/// meanwhile waits until the step is over. Real-time safe after construction.
#pragma once

#include <optional>
#include <vector>

#include "hild/model/stepper.hpp"

namespace hild::coupled {

class BackgroundStep {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// Of a model whose steps have at most so many passes. The stepper outlives it.
  BackgroundStep(model::Stepper& stepper, std::size_t most_passes);

  // ---- for who orders it, while nothing of it is run ----

  /// A step is to be taken. Its passes are known then.
  void begin(SimTime start, SimTime end) noexcept;
  [[nodiscard]] const model::Passes& passes() const noexcept { return *passes_; }
  /// Whether what is done at its end depends on the inputs there: else any may be given for them.
  [[nodiscard]] bool asks_at_end() const noexcept {
    return feeds_through_ || event_ != model::never;
  }
  /// It is over: what was to be changed meanwhile is. Whether the step stands, and its outputs do;
  /// else the model goes on from other states.
  [[nodiscard]] bool end() noexcept;
  /// Those at its end, with the inputs given last.
  [[nodiscard]] In outputs() const noexcept { return y_; }
  /// Until then they are these.
  void start_with(In y) noexcept;
  /// Whether a time event acted at its end.
  [[nodiscard]] bool acted() const noexcept { return acted_; }

  // ---- for who orders it, at any time ----

  /// Steps are taken by another from now on, or by who orders them.
  void take_elsewhere(bool elsewhere) noexcept { elsewhere_ = elsewhere; }
  /// A step is under way: what the model shows is as it was before, the states with it.
  [[nodiscard]] bool runs() const noexcept { return runs_; }
  [[nodiscard]] In states_before() const noexcept { return shown_.states; }
  /// And somebody may be taking it, so that of the model this alone may be used.
  [[nodiscard]] bool busy() const noexcept { return runs_ && elsewhere_; }
  /// The inputs of the next pass; after the last pass, those at its end.
  void give(In u) noexcept;
  /// Takes effect at its end; the last of each counts.
  void set_parameter(std::size_t index, double value) noexcept;
  void set_states(In x, model::Restart from) noexcept;
  /// What a parameter was set to last.
  [[nodiscard]] double parameter(std::size_t index) const noexcept;
  /// What the model had cut short before it; null: it never does.
  [[nodiscard]] const model::CapCounts* cap_counts() const noexcept {
    return capped_ ? &shown_.caps : nullptr;
  }

  /// The function of the model that had failed before it; null: none.
  [[nodiscard]] const char* failed_function() const noexcept { return shown_.failed; }

  /// The inputs at the instant at which the step after it is to begin, and how late that one is
  /// begun: what lies before then is found on the line from them to those of then.
  void note_next(SimTime start, In u) noexcept;
  [[nodiscard]] In since_next(SimTime now, In u, SimTime node) noexcept;

  // ---- for who takes it ----

  /// The next pass, or after the last one its end. Precondition: its inputs were given.
  void run_next() noexcept;

 private:
  struct Set {
    std::size_t parameter;
    double value;
  };
  [[nodiscard]] Out row(int k) noexcept {
    return std::span(rows_.values).subspan(static_cast<std::size_t>(k) * inputs_, inputs_);
  }

  model::Stepper* stepper_;
  std::size_t inputs_;
  bool capped_;         // the model counts what it cuts short
  bool feeds_through_;  // some output depends on an input at once, or may
  /// Inputs: a row a pass, and one for the end.
  struct Rows {
    std::vector<double> values{};
    int given = 0;
    int run = 0;  // of who takes it
  };
  Rows rows_;
  std::vector<double> y_;
  /// What the model had before it, and shows until it is over.
  struct Shown {
    std::vector<double> states{};
    model::CapCounts caps{};
    const char* failed = nullptr;
  };
  Shown shown_;
  const model::Passes* passes_ = nullptr;
  SimTime end_{};
  SimTime event_ = model::never;  // acts at the end
  bool elsewhere_ = false;
  bool runs_ = false;
  bool acted_ = false;

  /// What is done when it is over.
  struct Later {
    std::vector<Set> set{};
    std::vector<double> states{};
    bool from_start = false;  // before states are set, if they are
    std::optional<model::Restart> restart{};
  };
  Later later_;

  /// What is known of the instant at which the next one begins.
  struct Next {
    SimTime start = model::never;
    std::vector<double> u{};
    std::vector<double> between{};
  };
  Next next_;
};

}  // namespace hild::coupled
