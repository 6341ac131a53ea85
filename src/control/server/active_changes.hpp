// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which overrides and stimuli are in force, as follows from the changes that took effect, told in
/// their order.
#pragma once

#include <boost/json/array.hpp>
#include <map>

#include "control/server/names.hpp"
#include "exec/transaction.hpp"

namespace hild::server {

class ActiveChanges {
 public:
  /// It took effect at the start of the step of `frame`, at `time`.
  void apply(const exec::Change& change, std::int64_t frame, SimTime time);

  /// [{signal, kind, value, until_frame}], those in force for a step that starts at `frame`.
  [[nodiscard]] boost::json::array overrides(const Names& names, std::int64_t frame) const;
  /// [{input, shape, replace, since_s, until_s}], those in force at `now`.
  [[nodiscard]] boost::json::array stimuli(const Names& names, SimTime now) const;

 private:
  struct Signal {
    exec::Side side;
    std::uint32_t index;
    auto operator<=>(const Signal&) const = default;
  };
  struct Fault {
    double value = 0;
    std::int64_t until = 0;  // first frame without it; 0: no end
  };
  struct Active {
    exec::Stimulus what;
    SimTime start{};
  };
  std::map<Signal, std::map<exec::OverrideKind, Fault>> faults_;
  std::map<std::uint32_t, Active> stimuli_;
};

}  // namespace hild::server
