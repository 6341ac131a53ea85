// SPDX-License-Identifier: Apache-2.0
/// \file
/// What differs when hild is run by a service manager, and what the two tell each other
/// (sd_notify(3)).
#pragma once

#include <optional>
#include <string>

#include "config/config.hpp"
#include "hild/core/result.hpp"

namespace hild::commands {

/// Whether a service manager expects to be notified of this process's state.
[[nodiscard]] bool under_service_manager();

/// What a run tells its service manager; nothing happens where there is none.
class ServiceManager {
 public:
  void tell_ready();
  /// That it is still to begin, since others are not there: its start may take a minute more.
  void tell_waiting(const std::string& whom);
  /// A run whose frames stand still is not fed, whatever else goes on.
  void feed_watchdog(std::int64_t frames);
  void begin_reload();
  /// Likewise, to begin again at a recorded step.
  void begin_rewind();
  /// Whether the run ends to begin again with its configuration read anew.
  [[nodiscard]] bool reloads() const noexcept { return reloads_; }
  /// That the run has ended, unless it reloads.
  void tell_stopping() const;

 private:
  std::int64_t fed_at_frame_ = 0;
  bool reloads_ = false;
};

/// Blocks SIGHUP (SIG_BLOCK), which asks a service to read its configuration again, or lets it come
/// (SIG_UNBLOCK), in this thread and those it starts.
void mask_reloads(int how);

/// Checks that only those who may change the service can change its configuration, which determines
/// the code it runs, and the sequences that clients may begin, with what these include. The error
/// names the first file that others could have written.
[[nodiscard]] Result<void> check_sources(const config::Config& config);

/// Where a run begins that goes on from a recorded step: --from and --at.
struct RecordedStep {
  std::string file;
  std::string at;
};

/// Replaces this program by the same one with the same arguments, but for the recorded step it
/// begins at; to systemd it remains the same process. Descriptors must be closed before, or close
/// on exec. Returns only with an error.
[[nodiscard]] Error start_anew(const std::optional<RecordedStep>& from);

}  // namespace hild::commands
