// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict whether a run will compute the plant correctly: the stability and the accuracy of a
/// method at the step of the configuration. Found by advise (`advise/soundness.hpp`), reported with
/// the plan, in words for people and for programs.
#pragma once

#include <boost/json/object.hpp>
#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hild::plan {

/// The verdict on one model.
struct Soundness {
  std::string model{};   ///< its name where there are several
  std::string method{};  ///< the method that advances it
  double h = 0;          ///< the step it takes, s
  /// Why nothing can be said; empty: the fields below are valid.
  std::string unknown{};
  /// Where its modes were computed: "over 1 s", "at its start, by itself".
  std::string seen{};

  double stable_to = std::numeric_limits<double>::infinity();  ///< the largest stable step, s
  /// The mode that bounds it, 1/s, the upper of a pair; none: no mode does, or it is not known.
  std::optional<std::complex<double>> limiting{};
  double limiting_at = 0;  ///< when that mode occurred, s
  /// The factor by which one step multiplies the fastest growing such mode.
  double growth = 0;

  double accuracy = 1e-3;         ///< the accuracy asked for, a fraction
  std::optional<double> error{};  ///< error at this step, as advise estimates it; none: not known
  /// The largest step of the accuracy asked for, s.
  double accurate_to = std::numeric_limits<double>::infinity();
  std::vector<std::string> notes{};

  [[nodiscard]] bool known() const { return unknown.empty(); }
  [[nodiscard]] bool stable() const { return h <= stable_to * (1 + 1e-9); }
  /// Whether the double steps that follow an overrun are stable.
  [[nodiscard]] bool doubled_stable() const { return 2 * h <= stable_to * (1 + 1e-9); }
  /// Whether the error is more than a tenth: the run would then not be a coarse approximation of
  /// the plant, but a different plant.
  [[nodiscard]] bool far_off() const { return error && *error > 0.1; }
};

/// A time with three digits, "31.2 us"; "-" where there is no bound.
[[nodiscard]] std::string short_time(double seconds);

/// The warnings to show; empty where all is well, or not known.
[[nodiscard]] std::vector<std::string> warnings_of(const Soundness& s, const std::string& config);
/// The lines of the plan about it.
[[nodiscard]] std::string soundness_text(const Soundness& s);
[[nodiscard]] boost::json::object soundness_json(const Soundness& s);

}  // namespace hild::plan
