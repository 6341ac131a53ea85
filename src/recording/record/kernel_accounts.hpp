// SPDX-License-Identifier: Apache-2.0
/// \file
/// Accounts of the running kernel: files of /proc, opened once and read again and again.
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
  /// Of the thread `tid` of this process, whose faults are worth `worth`; `proc` is a tree that
  /// stands for /proc in tests. Error: a file is not there, or does not say what it should.
  [[nodiscard]] static Result<std::unique_ptr<KernelAccounts>> watch(
      pid_t tid, const Worth& worth, const std::filesystem::path& proc = "/proc");

  /// What cannot be read any more (the thread has ended) keeps its time.
  [[nodiscard]] Account thread() override;
  [[nodiscard]] StealAccount steal() override;
  [[nodiscard]] Worth worth() const override { return worth_; }

 private:
  class File {
   public:
    explicit File(const std::filesystem::path& path);
    /// From its beginning, as much as there is room for; empty: it cannot be read.
    [[nodiscard]] std::string_view read(std::vector<char>& room) const;

   private:
    Descriptor fd_;
  };
  KernelAccounts(const std::filesystem::path& proc, pid_t tid, const Worth& worth);
  [[nodiscard]] bool read_thread();
  [[nodiscard]] bool read_steal();

  File schedstat_, stat_, status_, cpus_;
  Worth worth_;
  std::vector<char> room_;
  int cpu_ = -1;  // it ran on last
  Account account_;
  StealAccount steal_;
};

/// What a page fault and a tick of the steal account are worth on this machine: the former is
/// tried out, on the calling thread.
[[nodiscard]] Worth worth_here();

}  // namespace hild::record
