// SPDX-License-Identifier: Apache-2.0
/// `hildctl watch`: values as they come.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <utility>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/live_view.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct WatchArguments : Common {
  std::vector<std::string> names;
  std::int64_t every = 0;
  std::int64_t count = 0;

  void declare(CLI::App& command) {
    command.add_option("NAME", names, "signals; default: all outputs");
    command.add_option("--every", every, "steps from sample to sample; default: about 0.1 s")
        ->type_name("STEPS")
        ->check(CLI::PositiveNumber);
    command.add_option("--count", count, "end after so many samples; default: at ^C")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
  }
};

constexpr double usual_period_s = 0.1;

/// What to show when nobody says.
json::array all_outputs(Client& client) {
  const json::value list = client.call("list");
  json::array names;
  for (const json::value& output : list_of(list, "outputs")) {
    names.emplace_back("output:" + text_of(output, "name"));
  }
  if (!names.empty()) return names;
  fail_call(CallError::Reason::usage,
            "the model has no outputs: say what to watch, `hildctl list`");
}

/// Steps from sample to sample, and how long that is.
struct Pace {
  std::int64_t every = 1;
  double seconds = 0;
};
Pace pace_of(Client& client, const WatchArguments& a) {
  const double period_s = number_of(client.call("status"), "period_s");
  const double frames = std::round(usual_period_s / period_s);
  const bool usual = frames >= 1 && frames < 1e9;
  const std::int64_t every = a.every > 0 ? a.every : usual ? static_cast<std::int64_t>(frames) : 1;
  const double seconds = static_cast<double>(every) * period_s;
  return {every, std::isfinite(seconds) ? seconds : 0};
}

WatchedSignals subscribe(Client& client, const json::array& names, const Pace& pace) {
  const json::value reply = client.call("subscribe", {{"names", names}, {"every", pace.every}});
  WatchedSignals watched;
  for (const json::value& name : names) watched.names.emplace_back(name.as_string());
  for (const json::value& unit : list_of(reply, "units")) {
    watched.units.emplace_back(unit.is_string() ? std::string(unit.get_string()) : "");
  }
  watched.units.resize(watched.names.size());
  return watched;
}

std::unique_ptr<LiveView> view_of(const WatchArguments& a, WatchedSignals watched) {
  if (a.json) return json_lines(std::move(watched));
  if (!cli::cursor_moves(STDOUT_FILENO)) return plain_lines(std::move(watched));
  report::Style style = report::style_for(STDOUT_FILENO);
  style.width = std::min(style.width, cli::columns_of(STDOUT_FILENO));
  return live_table(std::move(watched), style);
}

/// What is to be known of the run beside its samples: what the daemon told of it last, what of
/// that is news, and that nothing comes, and why.
class WatchedRun {
 public:
  WatchedRun(LiveView& view, const Pace& pace) : view_(view), pace_(pace) {}

  /// How long nothing may come without a word.
  [[nodiscard]] std::chrono::milliseconds patience() const {
    return std::chrono::milliseconds(
        std::max<std::int64_t>(1000, std::llround(std::min(3e3 * pace_.seconds, 1e9))));
  }

  // Each returns what the view makes of it.
  std::string change(const json::value& state, bool first = false) {
    std::vector<std::string> news = take(state);
    if (first && pace_.seconds >= 2) {
      news.push_back(fmt::format("a sample comes every {:.3g} s", pace_.seconds));
    }
    return news.empty() ? "" : view_.told(loud_, news);
  }
  std::string nothing_came() {
    if (std::exchange(waits_, true)) return {};
    const std::string words = fmt::format(
        "waiting, no sample for {:.3g} s: {}", std::chrono::duration<double>(patience()).count(),
        run_.empty() || run_ == "running" ? "the daemon or its recorder is held up"
                                          : "the run is " + run_);
    std::vector<std::string> loud = loud_;
    loud.push_back(words);
    return view_.told(loud, {words});
  }
  std::string sample_came() { return std::exchange(waits_, false) ? view_.told(loud_, {}) : ""; }

 private:
  std::vector<std::string> take(const json::value& state) {
    std::vector<std::string> all;
    std::vector<std::string> news;
    loud_.clear();
    for (const Told& t : told_in(state)) {
      if (t.of == "run") run_ = t.words;
      all.push_back(t.of + ": " + t.words);
      const bool known = std::ranges::find(known_, all.back()) != known_.end();
      if (!t.quiet) loud_.push_back(all.back());
      if (!known && (!t.quiet || !known_.empty())) news.push_back(all.back());
    }
    known_ = std::move(all);
    return news;
  }

  LiveView& view_;
  Pace pace_;
  std::string run_;
  std::vector<std::string> known_;
  std::vector<std::string> loud_;
  bool waits_ = false;
};

void show(Client& client, LiveView& view, WatchedRun& state, std::size_t columns,
          std::int64_t count) {
  std::int64_t shown = 0;
  while (count == 0 || shown < count) {
    const auto next = client.next(state.patience());
    std::string text;
    if (!next) {
      text = state.nothing_came();
    } else if (next->method == "state") {
      text = state.change(next->params);
    } else if (next->method == "samples") {
      const SampleRows rows = sample_rows(next->params, columns);
      text = state.sample_came();
      for (std::size_t i = 0; i < rows.times_s.size() && (count == 0 || shown < count); ++i) {
        text += view.sample({rows.frames[i], rows.times_s[i], rows.values[i]});
        ++shown;
      }
      text += view.shown(rows.lost);
    }
    if (!cli::print_text(text)) return;
  }
}

Exit watch(const WatchArguments& a) {
  Client client = open(a);
  json::value followed;
  try {
    followed = client.call("follow");
  } catch (const CallError&) {  // an older daemon refuses
  }
  const json::array names =
      a.names.empty() ? all_outputs(client) : json::array(a.names.begin(), a.names.end());
  const Pace pace = pace_of(client, a);
  WatchedSignals watched = subscribe(client, names, pace);
  client.heed_signals();
  const auto view = view_of(a, std::move(watched));
  WatchedRun state(*view, pace);
  cli::print_text(view->begin());
  cli::print_text(state.change(followed, true));
  try {
    show(client, *view, state, names.size(), a.count);
  } catch (const CallError& failed) {
    cli::print_text(view->end());
    // To interrupt it is how one leaves.
    if (failed.kind == CallError::Reason::interrupted) return Exit::done;
    throw;
  }
  cli::print_text(view->end());
  return Exit::done;
}

}  // namespace

void add_watch(CLI::App& app, Exit& exit) {
  add_command<WatchArguments>(
      app, exit,
      {"watch", "values as they come: a table in a terminal, else a line a sample",
       "Lines that begin with # tell what is to be known beside the values, with each change: "
       "frozen,\ndisarmed, faults, that it waits and why, how the run ended.\n"
       "Example: hildctl watch shaft_speed output:current --every 100 --count 50"},
      watch);
}

}  // namespace hild::ctl
