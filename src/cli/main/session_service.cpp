// SPDX-License-Identifier: Apache-2.0
/// What a run and its service manager tell each other (sd_notify(3)).
#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include "cli/main/service.hpp"
#include "cli/main/session.hpp"

namespace hild::commands {

void Session::tell_ready() {
  std::string words = "READY=1\nSTATUS=frames advance";
  std::uint64_t watchdog_us = 0;
  if (sd_watchdog_enabled(0, &watchdog_us) > 0) {
    words += fmt::format("\nWATCHDOG_USEC={}", watchdog_us);
  }
  sd_notify(0, words.c_str());
  if (!under_service_manager()) return;
  const config::Config& config = assembly_.config;
  logs_.logger->info("{}: frames advance: {} by {}, {} Hz", config.file, config.model.type,
                     config.method, config.settings.grid.rate_hz());
}

// A run whose frames stand still is not fed, whatever else goes on here.
void Session::feed_watchdog() {
  const std::int64_t frames = frames_.loop->statistics().frames.get();
  if (frames == service_.fed_at_frame || sd_watchdog_enabled(0, nullptr) <= 0) return;
  service_.fed_at_frame = frames;
  sd_notify(0, "WATCHDOG=1");
}

// Until frames advance again the watchdog waits as long as for a start, a minute.
void Session::begin_reload() {
  service_.reload = true;
  sd_notify(0, "RELOADING=1\nWATCHDOG_USEC=60000000\nSTATUS=reading the configuration anew");
}

}  // namespace hild::commands
