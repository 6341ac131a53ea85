// SPDX-License-Identifier: Apache-2.0
/// \file
/// The gateway as its device has it: the program hild-dds, confined, which lives until the device
/// dismisses it, or until both the run and its guard have ended. Not for the real-time side.
#pragma once

#include <memory>
#include <string_view>

#include "drivers/dds/page.hpp"
#include "drivers/dds/task.hpp"
#include "hild/core/result.hpp"
#include "hild/rt/confined/process.hpp"

namespace hild::dds {

class GatewayProcess {
 public:
  /// Returns once it is on the network. What it was not confined by is told. Error: it did not come
  /// up, and why.
  [[nodiscard]] static Result<std::unique_ptr<GatewayProcess>> start(const GatewayTask& task,
                                                                     int page);
  /// Ends it: what was written before is sent. One that has ended before is told of.
  ~GatewayProcess();
  GatewayProcess(const GatewayProcess&) = delete;
  GatewayProcess& operator=(const GatewayProcess&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return process_.pid(); }

 private:
  GatewayProcess(confined::Process process, std::string_view device)
      : process_(std::move(process)), device_(device) {}

  confined::Process process_;
  Name device_;
};

}  // namespace hild::dds
