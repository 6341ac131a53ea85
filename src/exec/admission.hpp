// SPDX-License-Identifier: Apache-2.0
/// \file
/// Admission control for external events: estimates what each class of change costs to prepare and
/// to commit (cost_estimate.hpp), and decides from these estimates whether a transaction fits into
/// the slack. Real-time safe, fixed work.
#pragma once

#include "exec/cost_estimate.hpp"
#include "exec/transaction.hpp"

namespace hild::exec {

struct AdmissionSettings {
  Duration guard = 5'000_ns;  ///< slack that every decision leaves over
  int max_deferrals = 1000;   ///< frames without enough slack, after which a transaction is refused
};

/// The number of changes of each class, as in one or several transactions.
using ClassCounts = std::array<std::int64_t, event_classes>;
[[nodiscard]] ClassCounts classes_of(const Transaction& t) noexcept;

class Admission {
 public:
  explicit Admission(const AdmissionSettings& settings) noexcept : settings_(settings) {}

  struct Cost {
    Duration prepare{};
    Duration commit{};
  };
  /// Sets the cost of one change of class `c` as a rehearsal measured it, at the high end; the
  /// estimate never falls below it. To be called before the run.
  void seed(EventClass c, Cost cost) noexcept;
  /// The estimated cost of one change of a class, or of all of `changes`.
  [[nodiscard]] Cost cost(EventClass c) const noexcept;
  [[nodiscard]] Cost cost(const ClassCounts& changes) const noexcept;

  /// Whether `changes` may be prepared now: preparing them, and committing them together with
  /// everything that is `prepared` already, fits into `slack` less the guard.
  [[nodiscard]] bool fits(const ClassCounts& changes, const ClassCounts& prepared,
                          Duration slack) const noexcept;

  /// Reports how long preparing all of `changes` took; they are taken to share it equally.
  void prepared(const ClassCounts& changes, Duration took) noexcept;
  /// Reports how long committing one change took.
  void committed(EventClass c, Duration took) noexcept;
  /// Reports that `changes` did not fit. Their estimates decay a little, so that an outlier cannot
  /// refuse them for good.
  void waited(const ClassCounts& changes) noexcept;

  [[nodiscard]] const AdmissionSettings& settings() const noexcept { return settings_; }

 private:
  struct Estimates {
    CostEstimate prepare;
    CostEstimate commit;
  };
  [[nodiscard]] Estimates& of(EventClass c) noexcept {
    return estimates_[static_cast<std::size_t>(c)];
  }

  AdmissionSettings settings_;
  std::array<Estimates, event_classes> estimates_{};
};

}  // namespace hild::exec
