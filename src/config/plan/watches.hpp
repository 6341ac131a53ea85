// SPDX-License-Identifier: Apache-2.0
/// \file
/// The interlocks and the alarms of a configuration, as a plan tells them.
#pragma once

#include <boost/json/array.hpp>
#include <span>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "hild/model/description.hpp"

namespace hild::plan {

/// Limits that are watched while the run goes on.
struct Watch {
  bool interlock = false;  ///< else an alarm
  std::string name;        ///< of the interlock or alarm
  std::string signal;      ///< "output shaft_speed"
  std::string unit;        ///< of the signal and the limits; empty: that of a line
  double low = 0;          ///< it may not be below; -infinity: no limit
  double high = 0;         ///< nor above; infinity: no limit
  std::string then;        ///< what follows: "stop", "disarm", "note"
};

/// Those of a configuration whose plant this is: interlocks first.
[[nodiscard]] std::vector<Watch> watches_of(const config::Config& config,
                                            const model::Description& plant);
/// In words: "overspeed: output shaft_speed within -400 ... 400 rad/s, else stop".
[[nodiscard]] std::string words(const Watch& w);
/// Each as {name, signal, unit, low, high, then}: of the interlocks, or of the alarms.
[[nodiscard]] boost::json::array watches_json(std::span<const Watch> all, bool interlocks);

}  // namespace hild::plan
