// SPDX-License-Identifier: Apache-2.0
/// A model under watch: all calls that a run may make of it, the rare ones included, one by one.
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>
#include <vector>

#include "foreign/examine/examination.hpp"
#include "foreign/examine/system_calls.hpp"
#include "hild/model/check_structure.hpp"
#include "hild/numerics/float_control.hpp"

namespace hild::examine {
namespace {

// Of a round of steps, in processor time: after the one no more than the least are made, after the
// other no more at all, also by the clock, since who sleeps uses no processor time.
constexpr int least_steps = 10;
constexpr long long_enough_ns = 200'000'000;
constexpr long too_long_ns = 2'000'000'000;

// The first calls may touch pages for the first time: a run does so before it starts.
constexpr long first_calls = 3;

long ns_by(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}
long cpu_ns() { return ns_by(CLOCK_THREAD_CPUTIME_ID); }

long page_faults() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt + used.ru_majflt;
}

// What controls floating-point results; flags of what has happened are no part of it.
unsigned control() {
#if defined(__x86_64__)
  std::fenv_t x87{};
  std::fegetenv(&x87);
  return (_mm_getcsr() & 0xffc0U) | (static_cast<unsigned>(x87.__control_word) << 16U);
#else
  return static_cast<unsigned>(std::fegetround());
#endif
}

std::size_t waiting_to_print() { return ::__fpending(stdout) + ::__fpending(stderr); }

long threads() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
}

/// Watches the calls of a model, and sums up what they do.
class CallWatch {
 public:
  /// `result` may be memory shared with another process, which can then see what was running when
  /// this process ends.
  CallWatch(const model::Stepper& plant, Examination& result, const ExaminationOptions& options)
      : plant_(plant), result_(result), options_(options), threads_(threads()) {
    result_.heap_observed = options.heap_calls != nullptr;
    result_.system_observed = system_.observed();
  }

  template <class Call>
  void call(Function f, Call&& model) {
    before(f);
    model();
    after();
  }
  /// Counts the call if a value of its result is not finite; `list` names the values.
  template <class List>
  void look_at(Function f, std::span<const double> values, const List& list) {
    const auto wrong = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    if (wrong == values.end() || again_) return;
    Seen& seen = result_.seen[static_cast<std::size_t>(f)];
    const auto i = static_cast<std::size_t>(wrong - values.begin());
    if (seen.not_finite++ == 0) seen.where = i < list.size() ? list[i].name : "?";
  }
  /// For a plant of several models, whose calls go to each in turn: `round` calls are one round of
  /// all of them.
  void take_turns(long round) { round_ = round; }
  /// Reports that the last `passes` calls of the derivatives were those of one step.
  void end_step(int passes) {
    const auto& times = times_[static_cast<std::size_t>(Function::derivatives)];
    const auto of_step = std::min(static_cast<std::size_t>(passes), times.next);
    Duration sum{};
    for (std::size_t i = times.next - of_step; i < times.next; ++i) sum += times.all[i];
    steps_.add(sum);
  }
  /// Announces that the same calls come once more, for their times alone. What takes long by itself
  /// does so again; what an interrupt or the host made long does not: a time is the lesser of both.
  void again() {
    again_ = true;
    for (Times& times : times_) times.next = 0;
    steps_.next = 0;
  }
  /// Fills in the times; to be called once, at the end.
  void finish() {
    for (std::size_t f = 0; f < functions; ++f) {
      auto& times = times_[f].all;
      if (times.empty()) continue;
      std::ranges::sort(times);
      result_.seen[f].median = times[times.size() / 2];
      result_.seen[f].worst = times.back();
    }
    for (const Duration step : steps_.all)
      result_.worst_passes = std::max(result_.worst_passes, step);
    result_.threads_started = threads() - threads_;
  }

 private:
  void before(Function f) {
    result_.last = f;
    // The watch's own times are kept before and after what it looks at.
    auto& times = times_[static_cast<std::size_t>(f)];
    if (times.all.size() == times.all.capacity()) times.all.reserve(2 * times.all.size() + 64);
    start_ = {result_.heap_observed ? options_.heap_calls() : 0,
              page_faults(),
              waiting_to_print(),
              control(),
              numerics::FloatControl::put_back_here(),
              messages(),
              cut(),
              cpu_ns()};
    system_.watch();
  }

  void after() {
    const long system_call = system_.stop();
    const long took = cpu_ns() - start_.cpu_ns;
    const long faults =
        page_faults() - start_.faults;  // before the watch itself touches new memory
    times_[static_cast<std::size_t>(result_.last)].add({took});
    if (!again_) count(system_call, faults);
    if (control() != start_.control) std::fesetenv(FE_DFL_ENV);
    note_failure();
  }

  void count(long system_call, long faults) {
    Seen& seen = result_.seen[static_cast<std::size_t>(result_.last)];
    ++seen.calls;
    if (result_.heap_observed && options_.heap_calls() != start_.heap) {
      ++seen.heap;
      seen.heap_late = seen.heap_late || seen.calls > 1;
    }
    if (system_call >= 0 && seen.system++ == 0) seen.system_call = system_call;
    const bool in_turns =
        result_.last == Function::derivatives || result_.last == Function::outputs;
    const long first = first_calls * (in_turns ? round_ : 1);
    if (seen.calls > first && faults != 0) ++seen.faults;
    const bool wrote = system_call == SYS_write || system_call == SYS_writev;
    if (wrote || waiting_to_print() != start_.printed) ++seen.printed;
    if (control() != start_.control) ++seen.control;
    if (numerics::FloatControl::put_back_here() != start_.put_back) ++seen.put_back;
    if (messages() != start_.messages) ++seen.logged;
    const model::CapCounts now = cut();
    if (now.event_iterations != start_.cut.event_iterations) ++seen.event_iterations;
    if (now.zero_advance != start_.cut.zero_advance) ++seen.zero_advance;
    if (now.step_parts != start_.cut.step_parts) ++seen.step_parts;
    if (now.algebraic_iterations != start_.cut.algebraic_iterations) ++seen.algebraic_iterations;
  }

  // The first one: what fails later follows from it.
  void note_failure() {
    const char* const function = plant_.system().failed_function();
    if (function == nullptr || result_.failed.front() != '\0') return;
    std::strncpy(result_.failed.data(), function, result_.failed.size() - 1);
  }

  [[nodiscard]] long messages() const { return options_.messages ? options_.messages() : 0; }
  [[nodiscard]] model::CapCounts cut() const {
    return plant_.system().cap_counts() != nullptr ? *plant_.system().cap_counts()
                                                   : model::CapCounts{};
  }

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

/// Makes the calls.
class Tour {
 public:
  Tour(model::Stepper& plant, const ExaminationOptions& options, Examination& result)
      : plant_(plant),
        options_(options),
        result_(result),
        watch_(plant, result, options),
        d_(plant.description()),
        y_(d_.outputs.size()),
        g_(d_.events.size()),
        j_(model::beyond_dense(d_) ? 0 : d_.structure.room(d_.states.size())),
        in_a_row_(d_.events.size()) {
    for (const auto& input : d_.inputs) u_.push_back(input.start);
    if (plant.models() != nullptr) {
      const int cycle = plant.models()->cycle();
      watch_.take_turns(std::min(plant.method().passes * cycle, options.steps / 10));
      least_ = std::max(least_, cycle);
    }
  }

  void run() {
    const int made = go(options_.steps, false);
    watch_.again();
    go(made, true);
    watch_.finish();
  }

 private:
  // So many steps, all or fewer where they take long.
  int go(int steps, bool all) {
    const long used = cpu_ns();
    const long begun = ns_by(CLOCK_MONOTONIC);
    const auto enough = [&](int made) {
      const bool few = made < least_ || chatters();
      return cpu_ns() - used > (few ? too_long_ns : long_enough_ns) ||
             ns_by(CLOCK_MONOTONIC) - begun > too_long_ns;
    };
    plant_.reset();
    g_before_.clear();
    std::ranges::fill(in_a_row_, 0);
    SimTime t{};
    int n = 0;
    for (; n < steps && (all || !enough(n)); ++n) {
      step(t);
      // At the start, and once under way.
      if (n == 0 || n == steps / 2) rare_calls(t + options_.frame);
      t += options_.frame;
    }
    if (n <= steps / 2) rare_calls(t);
    return n;
  }

  void step(SimTime t) {
    const double end = seconds(t + options_.frame);
    if (plant_.models() != nullptr)
      watch_.call(Function::outputs, [&] { plant_.models()->connect(t, u_); });
    int passes = plant_.method().passes;
    // With the last one the end of the step, in which an FMU is told that it is over.
    for (int i = 0; i < passes; ++i) {
      watch_.call(Function::derivatives, [&] {
        if (i == 0) passes = plant_.begin(t, options_.frame).count();
        plant_.pass(i, u_);
        if (i + 1 == passes) plant_.finish();
      });
    }
    watch_.end_step(passes);
    watch_.look_at(Function::derivatives, plant_.states(), d_.states);
    watch_.call(Function::outputs, [&] { plant_.outputs(end, u_, y_); });
    watch_.look_at(Function::outputs, y_, d_.outputs);
    if (!g_.empty()) {
      watch_.call(Function::event_functions,
                  [&] { plant_.system().event_functions(end, plant_.states(), u_, g_); });
      watch_.look_at(Function::event_functions, g_, d_.events);
      events(end);
    }
    if (d_.time_events) {
      watch_.call(Function::next_time_event, [&] { (void)plant_.system().next_time_event(t); });
    }
  }

  // Whether an event has been due in every step of late, and not for long enough to say so.
  [[nodiscard]] bool chatters() const {
    return std::ranges::any_of(in_a_row_, [](long n) { return n > 1 && n < chatter; });
  }

  // As a run does, but for finding out where in the step it was.
  void events(double t) {
    bool acted = false;
    for (std::size_t i = 0; i < g_.size() && !g_before_.empty(); ++i) {
      const bool due = model::crosses(d_.events[i].crossing, g_before_[i], g_[i]);
      in_a_row_[i] = due ? in_a_row_[i] + 1 : 0;
      if (in_a_row_[i] == 0) continue;
      watch_.call(Function::on_event, [&] { plant_.system().on_event(i, t, plant_.states(), u_); });
      acted = true;
      if (in_a_row_[i] <= result_.events_in_a_row) continue;
      result_.events_in_a_row = in_a_row_[i];
      result_.chattering = d_.events[i].name;
    }
    if (acted) {
      plant_.restart(model::Restart::here);
      plant_.system().event_functions(t, plant_.states(), u_, g_);
    }
    g_before_ = g_;
  }

  // Events are acted upon where they need not lie, so that what comes of it is taken back.
  void rare_calls(SimTime t) {
    const std::vector<double> x(plant_.states().begin(), plant_.states().end());
    std::vector<double> p;
    for (std::size_t i = 0; i < d_.parameters.size(); ++i)
      p.push_back(plant_.system().parameter(i));

    std::ranges::fill(j_, 0.0);
    if (!model::beyond_dense(d_)) {
      watch_.call(Function::jacobian, [&] {
        (void)plant_.system().jacobian(seconds(t), x, u_, {j_.data(), x.size(), d_.structure});
      });
    }
    for (std::size_t i = 0; i < d_.events.size(); ++i) {
      watch_.call(Function::on_event,
                  [&] { plant_.system().on_event(i, seconds(t), plant_.states(), u_); });
    }
    if (d_.time_events) {
      watch_.call(Function::on_time_event,
                  [&] { plant_.system().on_time_event(seconds(t), plant_.states(), u_); });
    }
    for (std::size_t i = 0; i < p.size(); ++i) {
      watch_.call(Function::set_parameter, [&] { plant_.system().set_parameter(i, p[i]); });
    }
    plant_.set_states(x);
  }

  model::Stepper& plant_;
  const ExaminationOptions& options_;
  Examination& result_;
  CallWatch watch_;
  const model::Description& d_;
  std::vector<double> u_, y_, g_, j_;
  std::vector<double> g_before_;  // at the end of the step before, after the events in it
  int least_ = least_steps;
  std::vector<long> in_a_row_;  // for each event, consecutive steps in which it was due
};

}  // namespace

void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result) {
  result.end = End::exited;
  std::fflush(stdout);
  // As a run does, and what a process inherits is not locked: pages that the kernel took, or shares
  // with the other process, are not the model's faults.
  ::mlockall(MCL_CURRENT);
  Tour(plant, options, result).run();
  result.end = End::done;
}

}  // namespace hild::examine
