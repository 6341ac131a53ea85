// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the accounts of the running kernel from files of /proc, opened once and read again and
/// again.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"
#include "recording/record/account.hpp"

namespace hild::record {

class KernelAccounts final : public Accounts {
 public:
  /// Watches the thread `tid` of this process. `worth` is what its faults cost; `proc` is a tree
  /// that stands for /proc in tests. Error: a file is not there, or does not contain what it
  /// should.
  [[nodiscard]] static Result<std::unique_ptr<KernelAccounts>> watch(
      pid_t tid, const Worth& worth, const std::filesystem::path& proc = "/proc");

  /// When the account cannot be read any more (the thread has ended) it stays as it was read last,
  /// time included.
  [[nodiscard]] Account thread() override;
  [[nodiscard]] StealAccount steal() override;
  [[nodiscard]] Worth worth() const override { return worth_; }

 private:
  KernelAccounts(const std::filesystem::path& proc, pid_t tid, const Worth& worth);
  /// Reads from the beginning of a file, as much as there is room for; empty: it cannot be read.
  [[nodiscard]] std::string_view read(const Descriptor& file);
  [[nodiscard]] bool read_thread();

  Descriptor schedstat_, stat_, status_, cpus_;
  Worth worth_;
  std::vector<char> room_;
  int cpu_ = -1;  // the CPU it ran on last
  Account account_;
  StealAccount steal_;
};

/// What a page fault and a tick of the steal account cost on this machine: the former is measured,
/// on the calling thread.
[[nodiscard]] Worth worth_here();

}  // namespace hild::record
