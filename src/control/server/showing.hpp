// SPDX-License-Identifier: Apache-2.0
/// \file
/// A stretch of the last minute that somebody has all pages of the run play: an instructor what a
/// trainee did. The pages play what they hold; here is only told what they are to play, and where
/// they would be by now. It ends by itself. For one thread, the server's.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "control/rpc/parse_json.hpp"
#include "hild/core/time.hpp"

namespace hild::server {

class History;
class Params;

class Showing {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double slowest = 0.25;  ///< simulated seconds a second
  static constexpr double fastest = 4;

  /// The answer to `show` at `now`: begins what the params ask for, for `by`, or ends it. Throws
  /// Refused where there is no such stretch.
  [[nodiscard]] json::value answer(Params& params, History& history, const std::string& by,
                                   Clock::time_point now);
  /// {number, from_s, to_s, speed, at_s, by} while it lasts, else null.
  [[nodiscard]] json::value told(Clock::time_point now) const;

 private:
  struct Stretch {
    SimTime from{};
    SimTime to{};
    double speed = 1;
    std::string by;  ///< the role of who asked for it; empty: none
    Clock::time_point began;
  };
  [[nodiscard]] static Stretch read(Params& params, History& history);

  std::optional<Stretch> stretch_;
  std::int64_t number_ = 0;  // of the newest
};

}  // namespace hild::server
