// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state of a run in words, topic by topic. Status, metrics, the page, hildctl and the log all
/// use these words.
#pragma once

#include <boost/json/array.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/server/method.hpp"

namespace hild::server {

/// How much attention a topic needs.
enum class Level : std::uint8_t {
  quiet,  ///< the usual state
  note,   ///< out of the ordinary, and intended
  fair,   ///< values are not what they seem, or something is worse than it could be
  bad,    ///< something is lost
};

/// One aspect of the state of a run.
struct Topic {
  std::string_view of;                         ///< the aspect: "outputs"
  std::string_view is;                         ///< its state: "disarmed", one of `may_be`
  Level level = Level::quiet;                  ///< of this state
  std::string words;                           ///< "disarmed: they take their safe actions ..."
  std::int64_t count = 0;                      ///< number of alarms, faults, stimuli, frames lost
  std::span<const std::string_view> may_be{};  ///< all states it can have
};

/// The state of the plant: whether it moves, and whether its model answers.
[[nodiscard]] Topic plant_topic(const Run& run);

/// All topics, always the same ones in the same order: run, plant, outputs, alarms, faults,
/// stimuli, recording, sequence, guard, access.
[[nodiscard]] std::vector<Topic> topics_of(const Context& context, const exec::Image& image);

/// The state of the topic `run` alone: "starting", "running", "stepping", "frozen", "ended".
[[nodiscard]] std::string_view state_of(const Run& run, const exec::Image& image) noexcept;

/// The topics as [{of, is, level, words}].
[[nodiscard]] json::array told(std::span<const Topic> topics);

/// How the run ended; null while it has not.
[[nodiscard]] json::value ending_of(const Run& run);

/// The value of a signal or parameter in an image. Precondition: it is one.
[[nodiscard]] inline double value_in(const exec::Image& image, Place p) {
  const std::vector<double>* const parts[] = {&image.parameters, &image.inputs, &image.outputs,
                                              nullptr,           nullptr,       &image.states};
  return (*parts[static_cast<std::size_t>(p.kind)])[p.index];
}

/// How and why the value of a signal in the plant differs from that on its line, {plant, line,
/// why}; null when they are the same, or when the signal has neither line, fault nor stimulus.
[[nodiscard]] json::value difference(const Context& context, const exec::Image& image, Place place);

}  // namespace hild::server
