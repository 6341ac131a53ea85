// SPDX-License-Identifier: Apache-2.0
/// The table.
#include <algorithm>
#include <boost/json/array.hpp>

#include "config/near_names.hpp"
#include "server/handlers.hpp"
#include "server/image.hpp"
#include "server/state_watch.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

json::value all_methods(const Context& /*context*/, Params& params) {
  params.refuse_unknown();
  json::array all;
  for (const Method& m : methods()) {
    json::array its;
    for (const Method::Param& p : m.params) {
      its.push_back({{"name", p.name}, {"type", p.type}, {"required", p.required}});
    }
    all.push_back({{"name", m.name},
                   {"params", std::move(its)},
                   {"summary", m.summary},
                   {"writes", m.writes}});
  }
  return all;
}

json::value subscribe(const Context& c, Params& params, const std::shared_ptr<Client>& client) {
  return c.subscriptions.subscribe(params, client, newest_image(c.run).frame);
}
json::value unsubscribe(const Context& c, Params& params, const std::shared_ptr<Client>& client) {
  return c.subscriptions.unsubscribe(params, *client);
}

json::value follow(const Context& c, Params& params, const std::shared_ptr<Client>& client) {
  params.refuse_unknown();
  if (!client->can_subscribe()) {
    refuse(rpc::Code::no_such_method,
           "follow: POST has no way to send notifications; use the Unix socket or ws://HOST/ws");
  }
  return c.watch.follow(client);
}

using P = Method::Param;
constexpr P restart{"restart", "boolean"};

const std::vector<Method>& table() {  // NOLINT(readability-function-size): a table
  static const std::vector<Method> all{
      {"status", "what the run does and whether it keeps up", {}, status},
      {"list", "all parameters and signals, with units, limits and values", {}, list},
      {"get", "values of one step", {{"names", "names"}}, get},
      {"histograms",
       "distributions of wake latency, work, margin, lateness and phases",
       {{"names", "names of histograms"}},
       histograms},
      {"overruns",
       "the newest overruns with their causes",
       {{"last", "integer"}, {"since_step", "integer"}, {"before", "integer"}},
       overruns},
      {"saved", "what a slot holds", {{"slot", "integer", true}}, saved},
      {"subscribe",
       "samples of signals, every so many steps",
       {{"names", "names of signals", true}, {"every", "integer"}},
       subscribe},
      {"unsubscribe", "no more of them", {{"subscription", "integer", true}}, unsubscribe},
      {"follow", "the state of the run: now, with each change, and how it ended", {}, follow},
      {"methods", "this list", {}, all_methods},

      {"set", "parameters", {{"values", "{parameter: value}", true}, restart}, set, true},
      {"override",
       "falsifies an input or an output",
       {{"signal", "name", true},
        {"kind", "stuck | offset | gain | noise | dropout", true},
        {"value", "value"},
        {"seed", "integer"},
        {"frames", "integer"},
        restart},
       override_signal,
       true},
      {"release",
       "ends all overrides of a signal",
       {{"signal", "name", true}, restart},
       release,
       true},
      {"stimulate",
       "adds a signal to an input, or puts it in its place",
       {{"input", "name", true},
        {"shape", "step | ramp | sine | chirp | playback", true},
        {"replace", "boolean"},
        {"offset", "value"},
        {"amplitude", "value"},
        {"frequency_hz", "value"},
        {"frequency_end_hz", "value"},
        {"phase_rad", "value"},
        {"over_s", "time"},
        {"duration_s", "time"},
        {"table", "{times_s: [time], values: [value]}"},
        restart},
       stimulate,
       true},
      {"quiet", "stops a stimulus", {{"input", "name", true}, restart}, quiet, true},
      {"freeze",
       "holds the plant; real time goes on",
       {{"outputs", "hold | safe | declared"}, {"values", "{output: value}"}},
       freeze,
       true,
       true},
      {"step",
       "advances a frozen plant",
       {{"frames", "integer"}, {"freeze", "boolean"}},
       step,
       true},
      {"resume", "goes on", {}, resume, true},
      {"save", "states and parameters into a slot", {{"slot", "integer"}}, save, true},
      {"restore",
       "puts the states of a slot back",
       {{"slot", "integer"}, {"parameters", "boolean"}},
       restore,
       true},
      {"reset", "back to the initial states", {{"parameters", "boolean"}}, reset, true},
      {"mark", "marks the record of the step", {{"label", "integer"}}, mark, true},
      {"transaction",
       "several changes at the start of one step, all or none",
       {{"changes", "[{method: params}]", true}},
       transaction,
       true},
      {"arm", "lets outputs follow the model, ramping in", {}, arm, true},
      {"disarm", "takes outputs to their safe values and keeps them there", {}, disarm, true, true},
      {"stop", "ends the run with safe outputs", {}, stop, true, true},
      {"take",
       "control of the run: nobody else may change it",
       {{"owner", "text", true}, {"timeout_s", "time"}, {"stays", "boolean"}, {"over", "boolean"}},
       take,
       true,
       true},
      {"give", "control back", {{"owner", "text"}}, give, true, true},
  };
  return all;
}

exec::When read_when(Params& params) {
  if (!params.has("at")) return {};
  Params at(params.object("at"), params.name_of("at"));
  const bool by_frame = at.has("frame");
  if (by_frame == at.has("time_s")) params.reject("at", "expected either frame or time_s");
  const auto when = by_frame ? exec::When::at_frame(at.integer("frame", 0, INT64_MAX))
                             : exec::When::at_time({at.duration("time_s").ns});
  at.refuse_unknown();
  return when;
}

}  // namespace

std::span<const Method> methods() { return table(); }

const Method& find_method(std::string_view name) {
  const auto found_one = std::ranges::find(table(), name, &Method::name);
  if (found_one != table().end()) return *found_one;
  std::vector<std::string_view> known;
  for (const Method& m : table()) known.push_back(m.name);
  refuse(rpc::Code::no_such_method, "there is no method {}, {}", found(json::value(name)),
         config::suggest(name, known));
}

bool is_urgent(std::string_view name) {
  const auto found_one = std::ranges::find(table(), name, &Method::name);
  return found_one != table().end() && found_one->open;
}

Changes read_changes(const Context& context, const Method& method, Params& params) {
  Changes changes;
  std::get<Changing>(method.does)(context, params, changes);
  changes.when = read_when(params);
  params.refuse_unknown();
  return changes;
}

}  // namespace hild::server
