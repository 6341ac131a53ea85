// SPDX-License-Identifier: Apache-2.0
/// \file
/// The interface of a run that a sequence needs: calls of methods, and samples of every step. It is
/// implemented by a daemon, or by a scripted bench in tests.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::sequence {

/// Why a bench did not do what was asked; thrown by it.
struct Failure {
  enum class Kind {
    refused,      ///< an error reply: nothing was done, the run goes on
    displaced,    ///< refused, because another client has control of the run
    stalled,      ///< simulated time did not advance for as long as the bench is patient
    interrupted,  ///< the person at the terminal wants to leave
    lost,         ///< the connection to the run is lost
  };
  Kind kind = Kind::refused;
  std::string message;  ///< with what to do next
};

/// Samples of the one subscription that a sequence makes, oldest first.
struct Samples {
  std::vector<SimTime> times;               ///< ascending; each is the end of its step
  std::vector<std::vector<double>> values;  ///< a row for each time, in the order subscribed to
  /// Samples dropped between those of the last call and these.
  std::int64_t lost = 0;
};

class Bench {
 public:
  Bench() = default;
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  virtual ~Bench() = default;

  // Both throw Failure.

  /// Calls a method of docs/control.md and waits for its result. Samples that arrive meanwhile are
  /// kept for samples().
  virtual boost::json::value call(std::string_view method, boost::json::object params) = 0;
  /// The samples since the last call; waits until there are some. Where time goes as it is asked
  /// to, those up to the first at `until` or later; or only the next, where that has passed.
  virtual Samples samples(SimTime until) = 0;
};

}  // namespace hild::sequence
