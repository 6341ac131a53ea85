// SPDX-License-Identifier: Apache-2.0
/// `hildctl watch`: values as they come.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <utility>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/live_view.hpp"
#include "cli/ctl/members.hpp"
#include "cli/ctl/samples.hpp"
#include "cli/ctl/told.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

struct WatchArguments {
  Common common;
  std::vector<std::string> names;
  std::int64_t every = 0;
  std::int64_t count = 0;
};

constexpr double usual_period_s = 0.1;

/// What to show when nobody says.
Reply<json::array> all_outputs(Client& client) {
  const auto list = client.call("list");
  if (!list) return tl::make_unexpected(list.error());
  json::array names;
  for (const json::value& output : list_of(*list, "outputs")) {
    names.emplace_back("output:" + text_of(output, "name"));
  }
  if (!names.empty()) return names;
  return call_error(CallError::Kind::usage,
                    "the model has no outputs: say what to watch, `hildctl list`");
}

/// Steps from sample to sample, and how long that is.
struct Pace {
  std::int64_t every = 1;
  double seconds = 0;
};
Reply<Pace> pace_of(Client& client, const WatchArguments& a) {
  const auto status = client.call("status");
  if (!status) return tl::make_unexpected(status.error());
  const double period_s = number_of(*status, "period_s");
  const double frames = std::round(usual_period_s / period_s);
  const bool usual = frames >= 1 && frames < 1e9;
  const std::int64_t every = a.every > 0 ? a.every : usual ? static_cast<std::int64_t>(frames) : 1;
  const double seconds = static_cast<double>(every) * period_s;
  return Pace{every, std::isfinite(seconds) ? seconds : 0};
}

struct Subscribed {
  WatchedSignals watched;
  Pace pace;
};
Reply<Subscribed> subscribe(Client& client, const WatchArguments& a) {
  json::array names(a.names.begin(), a.names.end());
  if (names.empty()) {
    auto all = all_outputs(client);
    if (!all) return tl::make_unexpected(all.error());
    names = std::move(*all);
  }
  const auto pace = pace_of(client, a);
  if (!pace) return tl::make_unexpected(pace.error());
  const auto reply = client.call("subscribe", {{"names", names}, {"every", pace->every}});
  if (!reply) return tl::make_unexpected(reply.error());
  WatchedSignals watched;
  for (const json::value& name : names) watched.names.emplace_back(name.as_string());
  for (const json::value& unit : list_of(*reply, "units")) {
    watched.units.emplace_back(unit.is_string() ? std::string(unit.get_string()) : "");
  }
  watched.units.resize(watched.names.size());
  return Subscribed{std::move(watched), *pace};
}

std::unique_ptr<LiveView> view_of(const WatchArguments& a, WatchedSignals watched) {
  if (a.common.json) return json_lines(std::move(watched));
  if (!cli::cursor_moves(STDOUT_FILENO)) return plain_lines(std::move(watched));
  report::Style style = report::style_for(STDOUT_FILENO);
  style.width = std::min(style.width, cli::columns_of(STDOUT_FILENO));
  return live_table(std::move(watched), style);
}

/// What is to be known of the run beside its samples: what the daemon told of it last, what of
/// that is news, and that nothing comes, and why.
class State {
 public:
  State(LiveView& view, const Pace& pace) : view_(view), pace_(pace) {}

  /// How long nothing may come without a word.
  [[nodiscard]] std::chrono::milliseconds patience() const {
    return std::chrono::milliseconds(
        std::max<std::int64_t>(1000, std::llround(std::min(3e3 * pace_.seconds, 1e9))));
  }

  // Each returns what the view makes of it.
  std::string begin(const json::value& state) {
    std::vector<std::string> news = take(state);
    if (pace_.seconds >= 2) {
      news.push_back(fmt::format("a sample comes every {:.3g} s", pace_.seconds));
    }
    return news.empty() ? "" : view_.told(loud_, news);
  }
  std::string change(const json::value& state) {
    const std::vector<std::string> news = take(state);
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

Reply<void> show(Client& client, LiveView& view, State& state, std::size_t columns,
                 std::int64_t count) {
  std::int64_t shown = 0;
  while (count == 0 || shown < count) {
    const auto next = client.next(state.patience());
    if (!next && next.error().kind == CallError::Kind::silent) {
      if (!cli::print_text(state.nothing_came())) return {};
      continue;
    }
    if (!next) return tl::make_unexpected(next.error());
    if (next->method == "state" && !cli::print_text(state.change(next->params))) return {};
    if (next->method != "samples") continue;
    const auto rows = sample_rows(next->params, columns);
    if (!rows) return tl::make_unexpected(rows.error());
    std::string text = state.sample_came();
    for (std::size_t i = 0; i < rows->times_s.size() && (count == 0 || shown < count); ++i) {
      text += view.sample({rows->frames[i], rows->times_s[i], rows->values[i]});
      ++shown;
    }
    if (!cli::print_text(text + view.shown(rows->lost))) return {};
  }
  return {};
}

Exit watch(const WatchArguments& a) {
  auto client = open(a.common);
  if (!client) return complain(a.common, client.error());
  const auto followed = (*client)->call("follow");  // an older daemon refuses
  auto subscribed = subscribe(**client, a);
  if (!subscribed) return complain(a.common, subscribed.error());
  (*client)->heed_signals();
  const std::size_t columns = subscribed->watched.names.size();
  const auto view = view_of(a, std::move(subscribed->watched));
  State state(*view, subscribed->pace);
  cli::print_text(view->begin());
  cli::print_text(state.begin(followed ? *followed : json::value()));
  const auto ended = show(**client, *view, state, columns, a.count);
  cli::print_text(view->end());
  // To interrupt it is how one leaves.
  if (ended || ended.error().kind == CallError::Kind::interrupted) return Exit::done;
  return complain(a.common, ended.error());
}

}  // namespace

void add_watch(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand(
      "watch", "values as they come: a table in a terminal, else a line a sample");
  const auto a = std::make_shared<WatchArguments>();
  command->add_option("NAME", a->names, "signals; default: all outputs");
  command->add_option("--every", a->every, "steps from sample to sample; default: about 0.1 s")
      ->type_name("STEPS")
      ->check(CLI::PositiveNumber);
  command->add_option("--count", a->count, "end after so many samples; default: at ^C")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_common_options(*command, a->common);
  command->footer(
      "Lines that begin with # tell what is to be known beside the values, with each change: "
      "frozen,\ndisarmed, faults, that it waits and why, how the run ended.\n"
      "Example: hildctl watch shaft_speed output:current --every 100 --count 50");
  command->callback([=, &exit] { exit = watch(*a); });
}

}  // namespace hild::ctl
