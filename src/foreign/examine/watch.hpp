// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the calls of a model one by one, and sums up what they do.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "foreign/examine/examination.hpp"
#include "foreign/examine/system_calls.hpp"

namespace hild::examine {

class CallWatch {
 public:
  /// `result` may be memory shared with another process, which can then see what was running when
  /// this process ends.
  CallWatch(const model::Stepper& plant, Examination& result, const ExaminationOptions& options);

  template <class Call>
  void call(Function f, Call&& model) {
    before(f);
    model();
    after();
  }
  /// Counts the call if a value of its result is not finite; `list` names the values.
  template <class List>
  void look_at(Function f, std::span<const double> values, const List& list) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (note_value(f, values[i], i < list.size() ? list[i].name : std::string_view("?"))) break;
    }
  }
  /// For a plant of several models, whose calls go to each in turn: `round` calls are one round of
  /// all of them.
  void take_turns(long round) { round_ = round; }
  /// Reports that the last `passes` calls of the derivatives were those of one step.
  void end_step(int passes);
  /// Announces that the same calls come once more, for their times alone. What takes long by itself
  /// does so again; what an interrupt or the host made long does not: a time is the lesser of both.
  void again();
  /// Fills in the times; to be called once, at the end.
  void finish();

 private:
  void before(Function f);
  void after();
  void count(long system_call, long faults);
  bool note_value(Function f, double value, std::string_view name);

  struct State {
    long heap;
    long faults;
    std::size_t printed;
    unsigned control;
    long put_back;
    long messages;
    model::CapCounts cut;
    long cpu_ns;
  };

  [[nodiscard]] long messages() const { return options_.messages ? options_.messages() : 0; }
  [[nodiscard]] model::CapCounts cut() const;
  void note_failure();

  const model::Stepper& plant_;

  Examination& result_;
  const ExaminationOptions& options_;
  SystemCalls system_;
  /// The times of calls in their order, and the place of the next; in the second round each becomes
  /// the lesser of both.
  struct Times {
    std::vector<Duration> all;
    std::size_t next = 0;

    void add(Duration took) {
      if (next == all.size()) all.push_back(took);
      all[next] = std::min(all[next], took);
      ++next;
    }
  };
  std::array<Times, functions> times_;
  Times steps_;
  bool again_ = false;
  State start_{};
  long threads_ = 0;
  long round_ = 1;
};

}  // namespace hild::examine
