// SPDX-License-Identifier: Apache-2.0
/// The table.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

#include "config/near_names.hpp"
#include "control/server/method.hpp"
#include "control/server/roles.hpp"
#include "control/server/state_watch.hpp"
#include "core/decimal.hpp"
#include "core/joined.hpp"
#include "exec/may_arm.hpp"

namespace hild::server {
namespace {

// What a form needs to know of a field: its words, and for which of them it is there, in which
// unit.
void add_details(const exec::FieldInfo& f, json::object& param) {
  param["help"] = f.field.help;
  if (f.form == exec::FieldInfo::Form::name || f.form == exec::FieldInfo::Form::settings) {
    param["target"] = f.either ? "signal" : to_string(f.target);
  }
  if (f.form == exec::FieldInfo::Form::number || f.form == exec::FieldInfo::Form::time) {
    param["unit"] = f.unit;
  }
  if (!f.words.empty()) {
    json::array words;
    for (const exec::Word& w : f.words) {
      words.push_back({{"name", w.name}, {"help", w.help}, {"shown", w.shown}});
    }
    param["words"] = std::move(words);
    param["usual"] = f.usual;
  }
  if (f.uses.empty()) return;
  json::object of;
  for (const exec::FieldInfo::Use& u : f.uses) {
    of[u.word] = {{"unit", u.unit}, {"required", u.required}};
  }
  param["of"] = std::move(of);
}

json::value all_methods(const Context& /*context*/, Params& params) {
  params.refuse_unknown();
  json::array all;
  for (const Method& m : methods()) {
    json::array its;
    for (const Method::Param& p : m.params) {
      json::object one{{"name", p.name}, {"type", p.type}, {"required", p.required}};
      if (p.field != nullptr) add_details(*p.field, one);
      its.push_back(std::move(one));
    }
    all.push_back({{"name", m.name},
                   {"params", std::move(its)},
                   {"summary", m.summary},
                   {"writes", m.writes}});
  }
  return all;
}

json::value rights(const Context& context, Params& params, const std::shared_ptr<Client>& client) {
  params.refuse_unknown();
  const Rights& its = client->rights();
  std::string why;
  if (!context.writing) {
    why = "control.writing is false: nothing can be changed";
  } else if (!its.may_not_write.empty()) {
    why = fmt::format("this client may only read, {}", its.may_not_write);
  }
  return json::object{{"writes", why.empty()},
                      {"why", why.empty() ? json::value() : json::value(why)},
                      {"role", its.role.empty() ? json::value() : json::value(its.role)},
                      {"may", context.roles.told(its.role)}};
}

json::value subscribe(const Context& c, Params& params, const std::shared_ptr<Client>& client) {
  return c.subscriptions.subscribe(params, client, newest_step(c.run).frame);
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

/// What takes effect at once, and not as a change; answers with the newest step.
template <auto act>
json::value at_once(const Context& context, Params& params) {
  params.refuse_unknown();
  act(context.run);
  const exec::Image image = newest_step(context.run);
  return json::object{{"frame", image.frame}, {"time_s", in_seconds(image.time)}};
}
constexpr auto follow_the_model = [](const Run& run) { run.arm(true); };
constexpr auto make_safe = [](const Run& run) { run.arm(false); };
constexpr auto stop = [](const Run& run) { run.stop.raise(); };

// In words what keeps outputs from staying armed.
void refuse_while_disarmed(const Run& run) {
  if (exec::may_arm(run.loop)) return;
  if (const std::uint32_t open = run.loop.alarms().keep_disarmed(); open != 0) {
    const config::Alarm& first = run.alarms[static_cast<std::size_t>(std::countr_zero(open))];
    refuse(rpc::Code::refused,
           "alarm \"{}\" is open, and outputs are disarmed for it (then: disarm); arm them once "
           "{} is within its limits{}",
           first.name, first.signal,
           first.alarm.latch ? " and it was acknowledged (`hildctl acknowledge`)" : "");
  }
  for (const exec::LostInputs::Lost& lost : run.loop.lost_inputs().at_present()) {
    if (!lost.disarms) continue;
    refuse(rpc::Code::refused,
           "input \"{}\" is lost since frame {}, and outputs are disarmed for it (on_loss: "
           "disarm); arm them once it is back (`hildctl status`)",
           run.description.inputs[lost.input].name, lost.since);
  }
  refuse(rpc::Code::refused,
         "no step has been made yet, so that nothing is known of inputs for whose loss outputs "
         "are disarmed; arm them in a moment");
}

json::value arm(const Context& context, Params& params) {
  if (params.boolean("system", false)) return arm_system(context, params);
  refuse_while_disarmed(context.run);
  json::value answer = at_once<follow_the_model>(context, params);
  answer.as_object()["unguardable"] = json::value_from(context.run.unguardable);
  return answer;
}

json::value disarm(const Context& context, Params& params) {
  if (params.boolean("system", false)) return disarm_system(context, params);
  return at_once<make_safe>(context, params);
}

std::vector<Method> all_but_changes() {  // NOLINT(readability-function-size): a table
  return {
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
      {"history",
       "samples of the last minute, and the newest changes",
       {{"names", "names of signals"}, {"last_s", "time"}, {"rows", "integer"}},
       history},
      {"models",
       "which model is run when in a frame and on which CPU, planned and observed, where some are "
       "run beside others",
       {},
       models},
      {"nodes",
       "the nodes of the system, what each of them does, and what became of arming all of them",
       {},
       nodes_of_system},
      {"dashboards", "the dashboards that are kept", {}, dashboards},
      {"dashboard", "one of them", {{"name", "text", true}}, dashboard},
      {"sequences",
       "the sequences that can be begun, and what became of the one begun last",
       {{"since", "integer"}},
       sequences},
      {"saved", "what a slot holds", {{"slot", "integer", true}}, saved},
      {"subscribe",
       "samples of signals, every so many steps",
       {{"names", "names of signals", true}, {"every", "integer"}},
       subscribe},
      {"unsubscribe", "no more of them", {{"subscription", "integer", true}}, unsubscribe},
      {"follow", "the state of the run: now, with each change, and how it ended", {}, follow},
      {"methods", "this list", {}, all_methods},
      {"rights", "what this client may change", {}, rights},
      {"transaction",
       "several changes at the start of one step, all or none",
       {{"changes", "[{method: params}]", true}},
       transaction,
       true},
      {"arm",
       "lets outputs follow the model, ramping in; with system those of all members, or of none",
       {{"system", "boolean"}},
       arm,
       true},
      {"disarm",
       "takes outputs to their safe values and keeps them there; with system those of all members",
       {{"system", "boolean"}},
       disarm,
       true,
       true},
      {"record", "begins to record, soon", {{"recorder", "name"}}, record, true},
      {"unrecord", "ends recording, soon", {{"recorder", "name"}}, unrecord, true},
      {"rewind",
       "goes back to a recorded step, with the plant held and outputs safe, soon",
       {{"by_s", "time"}, {"to_s", "time"}},
       rewind,
       true},
      {"begin",
       "runs a sequence of the configuration, which takes control of the run",
       {{"sequence", "name", true}},
       begin,
       true},
      {"cease",
       "ends the sequence that runs; its last steps, `always`, are taken",
       {},
       cease,
       true,
       true},
      {"stop", "ends the run with safe outputs", {}, at_once<stop>, true, true},
      {"take",
       "control of the run: nobody else may change it",
       {{"owner", "text", true}, {"timeout_s", "time"}, {"stays", "boolean"}, {"over", "boolean"}},
       take,
       true,
       true},
      {"give", "control back", {{"owner", "text"}}, give, true, true},
      {"arrange",
       "keeps a dashboard",
       {{"name", "text", true}, {"layout", "{version, tiles}", true}, {"over", "text"}},
       arrange,
       true,
       false,
       true},
      {"discard", "a dashboard", {{"name", "text", true}}, discard, true, false, true},
      {"show",
       "has all pages play a stretch of the last minute; without params ends it",
       {{"from_s", "time"}, {"to_s", "time"}, {"last_s", "time"}, {"speed", "number"}},
       show,
       true,
       false,
       true},
  };
}

std::string type_of(const exec::FieldInfo& f) {
  using Form = exec::FieldInfo::Form;
  if (f.form == Form::settings) {
    return f.target == exec::Target::parameter ? "{parameter: value}" : "{output: value}";
  }
  if (f.form == Form::choice) {
    return joined(f.words, " | ", &exec::Word::name);
  }
  if (f.form == Form::table) return "{times_s: [time], values: [value]}";
  static constexpr std::string_view words[] = {"name",    "",        "",     "value",
                                               "integer", "boolean", "time", "integer"};
  return std::string(words[static_cast<std::size_t>(f.form)]);
}

// Before those that make several changes one.
std::vector<Method> with_changes(std::vector<Method> all) {
  auto at = std::ranges::find(all, "transaction", &Method::name);
  const auto kinds = exec::change_kinds();
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const exec::ChangeSchema& schema = kinds[k].schema;
    if (schema.part) continue;
    Method method{schema.name, schema.summary, {}, change_readers()[k], true, schema.safe};
    for (const exec::FieldInfo& f : kinds[k].fields) {
      method.params.push_back({f.field.in_json(), type_of(f), f.required, &f});
    }
    // What a person calls it is no part of the change.
    if (schema.name == exec::Mark::schema.name) method.params.push_back({"text", "text"});
    at = std::next(all.insert(at, std::move(method)));
  }
  return all;
}

const std::vector<Method>& table() {
  static const std::vector<Method> all = with_changes(all_but_changes());
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
  std::get<Changing>(method.does)(context.subjects(), params, changes);
  changes.when = read_when(params);
  params.refuse_unknown();
  return changes;
}

}  // namespace hild::server
