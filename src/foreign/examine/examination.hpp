// SPDX-License-Identifier: Apache-2.0
/// \file
/// The examination of a model before a run: how long its calls take, and whether they do what the
/// real-time side must not: call the heap or the kernel, fault on pages, print, start threads,
/// change the floating-point control, return values that are not numbers, crash or hang.
///
/// The plant runs in a process of its own, made by fork(), so that it can break nothing here. Not
/// for the real-time side; call while the process has one thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/model/stepper.hpp"

namespace hild::examine {

/// The functions of a model, as its author names them.
enum class Function : unsigned char {
  derivatives,
  outputs,
  event_functions,
  on_event,
  next_time_event,
  on_time_event,
  jacobian,
  set_parameter
};
inline constexpr std::size_t functions = 8;
[[nodiscard]] std::string_view to_string(Function function);

/// What was observed in the calls of one function. Counts are numbers of calls that did it. Times
/// are processor times, of two equal calls the lesser, so that other work on the machine does not
/// count.
struct Seen {
  long calls = 0;
  Duration median{};
  Duration worst{};
  long heap = 0;           ///< allocated, reallocated or released
  bool heap_late = false;  ///< beyond the first call too
  long system = 0;
  long system_call = -1;  ///< number of the first one seen
  long faults = 0;        ///< page faults, beyond the first calls
  long printed = 0;
  long control = 0;   ///< changed rounding, exceptions or flushing of the floating-point unit
  long put_back = 0;  ///< the same, and it was restored: an FMU
  long logged = 0;    ///< gave messages to its logger
  // What the plant cut short in these calls: see model::CapCounts.
  long event_iterations = 0;
  long zero_advance = 0;
  long algebraic_iterations = 0;
  long step_parts = 0;
  long not_finite = 0;
  Name where;  ///< name of the first value that was not finite
};

enum class End : unsigned char { done, crashed, exited, hung };

/// As many steps in a row with the same event are a finding: one that every frame has is seldom
/// meant.
inline constexpr long chatter = 50;

struct Examination {
  std::array<Seen, functions> seen{};
  Duration worst_passes{};   ///< all passes of one step together
  long events_in_a_row = 0;  ///< the most consecutive steps in which the same event was due
  Name chattering;           ///< that event
  long threads_started = 0;
  End end = End::done;
  int end_code = 0;               ///< the signal or exit code
  Function last{};                ///< what was running then
  std::array<char, 96> failed{};  ///< the call of the model that failed, by its own name; or empty
  bool heap_observed = false;
  bool system_observed = false;

  [[nodiscard]] const Seen& of(Function f) const { return seen[static_cast<std::size_t>(f)]; }
};

struct ExaminationOptions {
  Duration frame{1'000'000};
  int steps = 1000;                   ///< fewer where they take long
  Duration patience{10'000'000'000};  ///< before the model is said to hang: see WorkPatience
  long (*heap_calls)() = nullptr;     ///< heap calls of this thread so far; none: not observed
  long (*messages)() = nullptr;       ///< messages of models so far; none: they have no logger
};

/// Examines the plant: advances it by steps of the frame, with inputs at their start values, acts
/// on the events it comes to at the end of their step, and calls all its other functions. The plant
/// of the caller is left as it was. Error: no process could be made.
[[nodiscard]] Result<Examination> examine(model::Stepper& plant, const ExaminationOptions& options);

// ---- a model that is loaded in a process of its own --------------------------------------------

/// Examines the plant in this process, which exists for nothing else. Where the model ends the
/// process, `result` shows how far it came.
void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result);

/// Notes how the examining process ended: its status (waitpid), or none where it had to be killed.
/// An exit code of `aborted` stands for SIGABRT; 0: there is no such code.
void note_end(Examination& seen, std::optional<int> status, int aborted = 0);

/// Reads an examination from memory that the model could write to: every word is forced into the
/// bounds it has in a genuine one.
[[nodiscard]] Examination within_bounds(std::span<const std::byte, sizeof(Examination)> left);

/// One of several models, examined by itself.
struct Examined {
  const Examination* seen;
  double steps;
};
/// Combines the examinations as if the models had been examined together.
[[nodiscard]] Examination together(std::span<const Examined> all);

// ---- in words ----------------------------------------------------------------------------------

/// The findings in words: each names the function and what follows from it. Empty: fit for real
/// time.
[[nodiscard]] std::vector<std::string> findings(const Examination& e);
/// What could not be observed on this machine, and why.
[[nodiscard]] std::vector<std::string> not_observed(const Examination& e);
/// Why a run with this model is impossible: it would end the process, or its own run. Empty: it is
/// possible.
[[nodiscard]] std::string refusal(const Examination& e);

}  // namespace hild::examine
