// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run is up to, in words. All who tell of it tell this: status, metrics, the page, hildctl,
/// the log.
#pragma once

#include <boost/json/array.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/server/method.hpp"

namespace hild::server {

/// How much a topic is to be noticed.
enum class Level : std::uint8_t {
  quiet,  ///< as it usually is
  note,   ///< out of the ordinary, and meant so
  fair,   ///< what is seen is not what it seems, or less than it could be
  bad,    ///< something is lost
};
[[nodiscard]] std::string_view to_string(Level l) noexcept;

/// One thing that can be told of a run.
struct Topic {
  std::string_view of;                         ///< "outputs"
  std::string_view is;                         ///< "disarmed", one of `may_be`
  Level level = Level::quiet;                  ///< of what it is
  std::string words;                           ///< "disarmed: they take their safe actions ..."
  std::span<const std::string_view> may_be{};  ///< all it can be
  std::int64_t count = 0;                      ///< of faults, stimuli, frames lost
};

/// Whether what is put out is the plant's: whether it moves, and its model answers.
[[nodiscard]] Topic plant_topic(const Run& run);

/// Always the same topics in the same order: run, plant, outputs, faults, stimuli, recording,
/// guard, access.
[[nodiscard]] std::vector<Topic> topics_of(const Context& context, const exec::Image& image);

/// The first of them, by its word alone: "starting", "running", "stepping", "frozen", "ended".
[[nodiscard]] std::string_view state_of(const Run& run, const exec::Image& image) noexcept;

/// [{of, is, level, words}].
[[nodiscard]] boost::json::array told(std::span<const Topic> topics);

/// How the run ended; null while it has not.
[[nodiscard]] boost::json::value ending_of(const Run& run);

/// Why a signal's value in the plant and on its line are not the same; empty: they are, or the
/// signal has neither line, fault nor stimulus.
struct Difference {
  std::string why;   ///< "disarmed", "fault stuck, stimulus sine"
  double plant = 0;  ///< what the plant has, or makes
  double line = 0;   ///< what the line carries; not a number: there is none
};
class Differences {
 public:
  Differences(const Context& context, const exec::Image& image);
  [[nodiscard]] Difference of(Place place) const;
  /// {plant, line, why}; null when they are the same.
  [[nodiscard]] boost::json::value json_of(Place place) const;

 private:
  [[nodiscard]] Difference of_input(std::size_t index) const;
  [[nodiscard]] Difference of_output(std::size_t index) const;
  [[nodiscard]] std::string falsified(Place place) const;

  const Context& context_;
  const exec::Image& image_;
  boost::json::array overrides_;
  boost::json::array stimuli_;
  bool armed_;
  bool ended_;
};

}  // namespace hild::server
