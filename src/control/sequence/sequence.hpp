// SPDX-License-Identifier: Apache-2.0
/// \file
/// A test sequence as it was read: a list of steps, each a change of the run, a pause, or a
/// condition on a signal. Times are simulated times of the run. docs/sequences.md describes the
/// keys.
#pragma once

#include <boost/json/object.hpp>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "control/sequence/variables.hpp"
#include "hild/core/time.hpp"

namespace hild {
namespace json = boost::json;
}  // namespace hild

namespace hild::sequence {

/// One change, as a call of a method of docs/control.md: numbers are in the unit of the parameter
/// or signal they belong to. Times that become frames are still in `lasts`, since only the run
/// knows how long a frame is.
struct Change {
  std::string method;
  json::object params{};
  Duration lasts{};  ///< how long an override lasts; 0: until released
};

/// Changes that take effect at the start of one step; more than one is a transaction.
struct Command {
  std::vector<Change> changes;
};

/// A straight-line change of a value: of an input by a stimulus, of a parameter in steps of length
/// `every`.
struct Ramp {
  std::string name;
  bool parameter = false;
  std::optional<double> from{};  ///< none: from the present value
  double to = 0;
  Duration over{};
  Duration every{};
};

/// A recorder begins or ends at the time of the step. One that begins is waited for.
struct Recording {
  std::string recorder;  ///< "": all that do not yet
  bool on = true;
};

struct Pause {
  Duration length{};
};

/// A signal is to stay within [low, high] for the time `hold`, which must be over by `timeout` from
/// the start of the step. An alarm, "alarm:NAME", is a signal that is 2 while it is active, 1 while
/// it is open and over, else 0.
struct Condition {
  std::string signal;
  std::string unit{};  ///< "" when not known
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  Duration hold{};  ///< 0: one sample is enough
  Duration timeout{};
  bool of_alarm = false;

  [[nodiscard]] bool met_by(double value) const noexcept { return value >= low && value <= high; }
};

/// A signal is to stay within the band of `condition` from `after` behind the start of an earlier
/// step, `begin` in its list, to the end of this one: it stands behind the steps it is judged
/// beside.
struct During {
  Condition condition;
  std::size_t begin = 0;
  Duration after{};
};

struct Step {
  std::string name;              ///< the name given, else what the step does
  std::string keyword;           ///< `set`, `expect` ...
  int line = 1;                  ///< in the file
  std::optional<Duration> at{};  ///< when it begins, since the start of the sequence
  std::variant<Command, Ramp, Pause, Recording, Condition, During> what{};
};

struct Sequence {
  std::string file;
  std::vector<std::string> included{};  ///< other files that it was read from
  std::string name;
  std::string description{};
  bool share = false;  ///< takes no control of a live run: others may steer it meanwhile
  std::vector<Step> steps{};
  std::vector<Step> always{};  ///< run at the end whatever happened
  std::vector<Let> swept{};    ///< variables over whose values the file sweeps, with those given
};

/// The condition of a step that has one; else null.
[[nodiscard]] const Condition* condition_of(const Step& step) noexcept;

/// The signals of all conditions, each once, in the order of their first use.
[[nodiscard]] std::vector<std::string> signals_of(const Sequence& sequence);

}  // namespace hild::sequence
