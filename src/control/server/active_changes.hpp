// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps track of which overrides and stimuli are in force, from the changes that took effect,
/// reported in their order.
#pragma once

#include <map>
#include <string>

#include "control/rpc/parse_json.hpp"
#include "control/server/names.hpp"
#include "exec/transaction.hpp"

namespace hild::server {

class ActiveChanges {
 public:
  /// Reports a change that took effect at the start of the step of `frame`, at `time`.
  void apply(const exec::Change& change, std::int64_t frame, SimTime time);

  /// The overrides in force for a step that starts at `frame`: [{signal, kind, value,
  /// until_frame}].
  [[nodiscard]] json::array overrides(const Names& names, std::int64_t frame) const;
  /// The faults of devices in force, likewise: [{fault, value, until_frame}].
  [[nodiscard]] json::array injected(const Names& names, std::int64_t frame) const;
  /// The stimuli in force at `now`: [{input, shape, replace, since_s, until_s}].
  [[nodiscard]] json::array stimuli(const Names& names, SimTime now) const;
  /// Those in force of an input or output: "fault stuck, stimulus sine"; empty: none.
  [[nodiscard]] std::string words(Place place, std::int64_t frame, SimTime now) const;

 private:
  struct Key {
    exec::Side side;
    std::uint32_t index;
    auto operator<=>(const Key&) const = default;
  };
  struct Fault {
    double value = 0;
    std::int64_t until = exec::for_good;  // first frame without it
    [[nodiscard]] bool over(std::int64_t frame) const { return until <= frame; }
    [[nodiscard]] bool ends() const { return until != exec::for_good; }
  };
  struct Active {
    exec::Stimulus what;
    SimTime start{};
    [[nodiscard]] bool over(SimTime now) const {
      return what.duration.ns > 0 && now - start >= what.duration;
    }
    [[nodiscard]] std::string_view shape() const {
      return exec::shape_words[static_cast<std::size_t>(what.shape)].name;
    }
  };
  std::map<Key, std::map<exec::OverrideKind, Fault>> faults_;
  std::map<std::uint32_t, Fault> injected_;
  std::map<std::uint32_t, Active> stimuli_;
};

}  // namespace hild::server
