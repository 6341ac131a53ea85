// SPDX-License-Identifier: Apache-2.0
/// `hildctl watch`: values as they come.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <cstdio>

#include "ctl/commands.hpp"
#include "ctl/live_view.hpp"
#include "ctl/members.hpp"
#include "ctl/samples.hpp"

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
  return trouble(Trouble::Kind::usage,
                 "the model has no outputs: say what to watch, `hildctl list`");
}

Reply<std::int64_t> frames_between(Client& client, const WatchArguments& a) {
  if (a.every > 0) return a.every;
  const auto status = client.call("status");
  if (!status) return tl::make_unexpected(status.error());
  const double frames = std::round(usual_period_s / number_of(*status, "period_s"));
  return frames >= 1 && frames < 1e9 ? static_cast<std::int64_t>(frames) : 1;
}

Reply<Watched> subscribe(Client& client, const WatchArguments& a) {
  json::array names(a.names.begin(), a.names.end());
  if (names.empty()) {
    auto all = all_outputs(client);
    if (!all) return tl::make_unexpected(all.error());
    names = std::move(*all);
  }
  const auto every = frames_between(client, a);
  if (!every) return tl::make_unexpected(every.error());
  const auto reply = client.call("subscribe", {{"names", names}, {"every", *every}});
  if (!reply) return tl::make_unexpected(reply.error());
  Watched watched;
  for (const json::value& name : names) watched.names.emplace_back(name.as_string());
  for (const json::value& unit : list_of(*reply, "units")) {
    watched.units.emplace_back(unit.is_string() ? std::string(unit.get_string()) : "");
  }
  watched.units.resize(watched.names.size());
  return watched;
}

std::unique_ptr<LiveView> view_of(const WatchArguments& a, Watched watched) {
  if (a.common.json) return json_lines(std::move(watched));
  if (isatty(STDOUT_FILENO) != 1) return plain_lines(std::move(watched));
  return live_table(std::move(watched), report::style_for(STDOUT_FILENO));
}

/// False when nobody reads any more.
bool say(const std::string& text) {
  return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
}

Reply<void> show(Client& client, LiveView& view, std::size_t columns, std::int64_t count) {
  std::int64_t shown = 0;
  while (count == 0 || shown < count) {
    const auto params = client.notification("samples", std::nullopt);
    if (!params) return tl::make_unexpected(params.error());
    const auto rows = sample_rows(*params, columns);
    if (!rows) return tl::make_unexpected(rows.error());
    std::string text;
    for (std::size_t i = 0; i < rows->times_s.size() && (count == 0 || shown < count); ++i) {
      text += view.sample({rows->frames[i], rows->times_s[i], rows->values[i]});
      ++shown;
    }
    if (!say(text + view.shown(rows->lost))) return {};
  }
  return {};
}

Exit watch(const WatchArguments& a) {
  auto client = open(a.common);
  if (!client) return complain(a.common, client.error());
  auto watched = subscribe(**client, a);
  if (!watched) return complain(a.common, watched.error());
  (*client)->heed_signals();
  const std::size_t columns = watched->names.size();
  const auto view = view_of(a, std::move(*watched));
  say(view->begin());
  const auto ended = show(**client, *view, columns, a.count);
  say(view->end());
  // To interrupt it is how one leaves.
  if (ended || ended.error().kind == Trouble::Kind::interrupted) return Exit::done;
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
  command->footer("Example: hildctl watch shaft_speed output:current --every 100 --count 50");
  command->callback([=, &exit] { exit = watch(*a); });
}

}  // namespace hild::ctl
