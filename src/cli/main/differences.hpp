// SPDX-License-Identifier: Apache-2.0
/// \file
/// How two runs differ, in words, as JSON, and as curves: a replay and its record, a branch and
/// what it branches off, two recordings.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hild/model/description.hpp"
#include "offline/replay/difference.hpp"
#include "recording/framelog/format.hpp"
#include "recording/record/trace.hpp"

namespace hild::commands {

[[nodiscard]] framelog::Signals signals_of(const model::Description& model);

/// "step 7, frame 7: state x was 1, is 2".
[[nodiscard]] std::string in_words(const replay::Difference& d, const framelog::Signals& signals);
/// How many steps differ, the first difference, and the largest of each signal; precondition: there
/// is one.
[[nodiscard]] std::string to_text(const replay::Differences& d, const framelog::Signals& signals);
/// Adds `compared_steps`, `differing_steps`, `first` where there is one, and `worst`.
void add_to(boost::json::object& o, const replay::Differences& d, const framelog::Signals& signals);

/// Both runs over time, in constant memory. Of many signals the first ones, outputs before states.
class DifferenceCurves {
 public:
  static constexpr std::size_t most_signals = 32;

  explicit DifferenceCurves(const framelog::Signals& signals);
  /// The end of a step.
  void add(SimTime end, const io::FrameView& was, const io::FrameView& is);
  /// A panel for each signal that differs, all where none does.
  [[nodiscard]] std::string svg(std::string_view title, std::string_view was,
                                std::string_view is) const;

 private:
  /// Of one run.
  struct Curve {
    record::TracePoint open;
    std::vector<record::TracePoint> full;
  };
  struct Signal {
    std::string name;
    std::string unit;
    bool output = false;
    std::size_t index = 0;
    bool differs = false;
    Curve was{}, is{};
  };
  static constexpr std::size_t most_points = 1024;
  void close_points();

  std::vector<Signal> signals_;
  std::int64_t stride_ = 1;  // steps that a point covers
  std::int64_t filled_ = 0;
};

}  // namespace hild::commands
