// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a transaction fits: what each class of change costs, to prepare and to commit, as a
/// decaying maximum of what was measured. A long one, such as a preemption, is forgotten in time;
/// the cost never falls below what a rehearsal found, nor below the least that was measured.
/// Real-time safe, fixed work.
#pragma once

#include "exec/transaction.hpp"

namespace hild::exec {

struct AdmissionSettings {
  Duration guard = 5'000_ns;  ///< slack left over by every decision
  int max_deferrals = 1000;   ///< frames without enough slack, after which it is refused
};

/// How many changes there are of each class.
using ClassCounts = std::array<std::int64_t, event_classes>;
[[nodiscard]] ClassCounts classes_of(const Transaction& t) noexcept;

class Admission {
 public:
  explicit Admission(const AdmissionSettings& settings) noexcept : settings_(settings) {}

  struct Cost {
    Duration prepare{};
    Duration commit{};
  };
  /// What a rehearsal found for one change of a class: the high end. Before the run.
  void seed(EventClass c, Cost cost) noexcept;
  [[nodiscard]] Cost cost(EventClass c) const noexcept;
  [[nodiscard]] Cost cost(const ClassCounts& changes) const noexcept;

  /// Whether these may be prepared now: preparing them, and committing them with all that is
  /// `prepared` already, fits into `slack`.
  [[nodiscard]] bool fits(const ClassCounts& changes, const ClassCounts& prepared,
                          Duration slack) const noexcept;

  /// What preparing all of them took.
  void prepared(const ClassCounts& changes, Duration took) noexcept;
  /// What one change took to commit.
  void committed(EventClass c, Duration took) noexcept;
  /// It did not fit: what may have been an outlier counts less.
  void waited(const ClassCounts& changes) noexcept;

  [[nodiscard]] const AdmissionSettings& settings() const noexcept { return settings_; }

 private:
  struct Estimate {
    Duration now{};
    Duration floor{};  // seeded
    Duration least{-1};
    void learn(Duration took) noexcept;
    void decay() noexcept;
  };
  struct Estimates {
    Estimate prepare;
    Estimate commit;
  };
  [[nodiscard]] Estimates& of(EventClass c) noexcept {
    return estimates_[static_cast<std::size_t>(c)];
  }

  AdmissionSettings settings_;
  std::array<Estimates, event_classes> estimates_{};
};

}  // namespace hild::exec
