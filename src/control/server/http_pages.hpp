// SPDX-License-Identifier: Apache-2.0
/// \file
/// Serves what can be read by HTTP GET: metrics, health, the page.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "control/server/http_request.hpp"
#include "control/server/run_state.hpp"

namespace hild::server {

/// metrics.cpp: the metrics of the run in Prometheus' text format 0.0.4: base units, counters end
/// in _total.
[[nodiscard]] std::string metrics(const Context& context);

/// Judges the health of a run, by looking at it now and then: whether frames advance, and whether
/// the plant moves with them.
class Health {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Health(const Run& run)
      : run_(run),
        patience_(std::max(std::chrono::duration<double>(1),
                           std::chrono::duration<double>(5 / run.settings.grid.rate_hz()))) {}

  /// Looks at the run; to be called often.
  void look() {
    const std::int64_t frames = run_.loop.statistics().frames.get();
    if (frames != frames_) since_ = Clock::now();
    frames_ = frames;
  }

  /// What is wrong with the run; empty while all is well.
  [[nodiscard]] std::string problem() const {
    if (run_.ended.raised()) return "the run has ended";
    if (frames_ == 0) return "starting: no frame has passed yet";
    const std::chrono::duration<double> still = Clock::now() - since_;
    if (still <= patience_) {
      const Topic plant = plant_topic(run_);
      return plant.level == Level::bad ? "the plant: " + plant.words : std::string();
    }
    return fmt::format("no frame for {:.1f} s, the last was {}", still.count(), frames_);
  }

 private:
  const Run& run_;
  std::chrono::duration<double> patience_;
  std::int64_t frames_ = 0;
  Clock::time_point since_{};
};

class HttpPages {
 public:
  /// Both outlive this.
  HttpPages(const Context& context, Health& health) : context_(context), health_(health) {}

  /// The reply to any request but those for /rpc and /ws.
  [[nodiscard]] HttpReply reply_to(const HttpRequest& request) const;

 private:
  [[nodiscard]] HttpReply healthz() const;

  const Context& context_;
  Health& health_;
};

/// A reply that says which HTTP methods are `allowed` instead.
[[nodiscard]] HttpReply method_not_allowed(std::string allowed);

}  // namespace hild::server
