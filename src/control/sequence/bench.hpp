// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a sequence needs of a run: calls, and samples of every step. Behind it is a daemon, or a
/// scripted one in tests.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::sequence {

/// Why a bench did not do what was asked.
struct Failure {
  enum class Kind {
    refused,      ///< an error reply: nothing was done, the run goes on
    displaced,    ///< so too, since another client has control of the run
    stalled,      ///< simulated time did not advance for as long as the bench is patient
    interrupted,  ///< the person at the terminal wants to leave
    lost,         ///< nobody is there any more
  };
  Kind kind = Kind::refused;
  std::string message;  ///< what to do next included
};

/// Samples of the one subscription that a sequence makes, oldest first.
struct Samples {
  std::vector<SimTime> times;               ///< ascending; each the end of its step
  std::vector<std::vector<double>> values;  ///< a row a time, in the order subscribed to
  std::int64_t lost = 0;                    ///< dropped between the samples before and these
};

template <class T>
using Answer = tl::expected<T, Failure>;

class Bench {
 public:
  Bench() = default;
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;
  virtual ~Bench() = default;

  /// A method of docs/control.md; returns its result once it is there. Samples that arrive
  /// meanwhile are kept for samples().
  virtual Answer<boost::json::value> call(std::string_view method, boost::json::object params) = 0;
  /// The samples since the last call, later than all before; waits until there are some.
  virtual Answer<Samples> samples() = 0;
};

}  // namespace hild::sequence
