// SPDX-License-Identifier: Apache-2.0
/// \file
/// The machine as checks see it: a tree of files, which is the real one or replaces it in tests,
/// and the few facts no file tells.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hild::doctor {

/// Limits of this process; -1: unlimited.
struct Limits {
  std::int64_t rtprio = 0;
  std::int64_t memlock = 0;  ///< bytes
  bool privileged = false;   ///< root: limits do not bind
};
[[nodiscard]] Limits limits_of_this_process();

/// What system calls answer where no file tells; empty where they cannot be asked.
struct Answers {
  std::optional<bool> cpu_allowed{};             ///< may this process run on the CPU of the frames?
  std::optional<std::int64_t> tai_offset{};      ///< of CLOCK_TAI from UTC in seconds; 0: never set
  std::optional<bool> clock_is_kept{};           ///< does somebody discipline the wall clock?
  std::map<std::string, bool> receive_stamps{};  ///< network interfaces; true: by the hardware
};

class Machine {
 public:
  /// `cpu` is the CPU that frames run on, -1: any; `priority` is their priority.
  Machine(std::filesystem::path root, Limits limits, int cpu, int priority, Answers answers = {})
      : root_(std::move(root)),
        limits_(limits),
        cpu_(cpu),
        priority_(priority),
        answers_(std::move(answers)) {}

  /// line(): the first line of a file such as "proc/swaps"; text(): all of it; none when it cannot
  /// be read.
  [[nodiscard]] std::optional<std::string> line(const std::string& path) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& path) const;
  /// Eight bytes of a file from `offset` on, the lowest first; none when they cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> word(const std::string& path,
                                                  std::int64_t offset) const;
  /// The names in a directory that begin with `prefix`, sorted; empty when there is none.
  [[nodiscard]] std::vector<std::string> names(const std::string& path,
                                               const std::string& prefix = "") const;
  [[nodiscard]] bool exists(const std::string& path) const;
  /// Whether this process may read and write it.
  [[nodiscard]] bool usable(const std::string& path) const;
  /// Bytes that are free on the file system of a directory.
  [[nodiscard]] std::optional<std::int64_t> free_bytes(const std::string& path) const;

  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] const Answers& answers() const { return answers_; }
  [[nodiscard]] int cpu() const { return cpu_; }
  [[nodiscard]] int priority() const { return priority_; }
  /// Whether a CPU is one that frames may run on.
  [[nodiscard]] bool runs_frames(int cpu) const { return cpu_ < 0 || cpu_ == cpu; }

 private:
  std::filesystem::path root_;
  Limits limits_;
  int cpu_;
  int priority_;
  Answers answers_;
};

/// The machine this process runs on.
[[nodiscard]] Machine this_machine(int cpu, int priority);

/// Whether a set of CPUs as the kernel writes them, such as "0-2,5", contains `cpu`.
[[nodiscard]] bool cpu_list_has(const std::string& list, int cpu);

}  // namespace hild::doctor
