// SPDX-License-Identifier: Apache-2.0
/// \file
/// A process that drives one line of a simulated device under a guard until it comes to grief, seen
/// from outside: this process reads the line and reaps both.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "io/guard/guard.hpp"

namespace hild::test {

inline constexpr double driven = 7.0;  ///< V, on the line while the run is alive
inline constexpr double safe = -3.0;   ///< V

class GuardedRun {
 public:
  struct Options {
    io::SafeAction action{};
    Duration within = 200_ms;
    int exchanges = -1;  ///< that the device takes from each of the two before it vanishes; -1: all
    bool begun = true;   ///< the thread of the frames is there, and has begun one
  };
  /// What the run does with its guard once the line is driven, and a frame begun. When it
  /// returns, the process ends as by _exit(0).
  using Fate = std::function<void(guard::Guard&)>;

  /// Throws when the run does not come up.
  explicit GuardedRun(const Fate& fate) : GuardedRun(fate, Options{}) {}
  GuardedRun(const Fate& fate, const Options& options);
  GuardedRun(const GuardedRun&) = delete;
  GuardedRun& operator=(const GuardedRun&) = delete;
  ~GuardedRun();

  void kill(int signal) const;
  /// What the line carries, in V.
  [[nodiscard]] double line() const;
  /// Waits until the line carries `volts`; false when `bound` was not enough.
  [[nodiscard]] bool reaches(double volts) const;
  /// Whether the run is dead, reaped or not.
  [[nodiscard]] bool dead() const;
  /// Its threads, those included that have ended and are not reaped.
  [[nodiscard]] std::vector<int> threads() const;
  /// Whether any of them may yet run an instruction of its own.
  [[nodiscard]] bool acts() const;
  /// Waits for the end of the run, too; its exit code, -1 when a signal ended it.
  int exit();
  /// Waits for the end of the guard; its exit code, -1 when there is none.
  int guard_exit();
  /// What exit() and guard_exit() return when `bound` was not enough.
  static constexpr int still_there = -2;
  /// Of every wait: a hundred times what it takes, so that it ends where something hangs.
  static constexpr std::chrono::seconds bound{90};

 private:
  [[noreturn]] void live(const Fate& fate, const Options& options, int ready) const;
  void end();

  std::string image_;
  int pid_ = -1;
};

/// Called by a run: its guard, its only child; 0 when there is none.
int guard_of_this_run();

}  // namespace hild::test
