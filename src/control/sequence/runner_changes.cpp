// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps that change the run.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "control/sequence/runner.hpp"

namespace hild::sequence {
namespace {

namespace json = boost::json;

tl::unexpected<Failure> not_understood(std::string_view method) {
  return tl::make_unexpected(Failure{
      Failure::Kind::lost, fmt::format("the daemon's reply to {} makes no sense: is it another "
                                       "version?",
                                       method)});
}

const json::value* member(const json::value& of, std::string_view key) {
  return of.is_object() ? of.get_object().if_contains(key) : nullptr;
}

}  // namespace

json::object Runner::params_of(const Change& change) const {
  json::object params = change.params;
  if (change.lasts > Duration{}) {
    params["frames"] =
        std::max<std::int64_t>(std::llround(seconds(change.lasts) / seconds(period_)), 1);
  }
  return params;
}

Runner::Done Runner::perform(const Command& command, StepOutcome& outcome) {
  if (command.changes.size() == 1) {
    const Change& only = command.changes.front();
    return change(only.method, params_of(only), outcome);
  }
  json::array changes;
  for (const Change& one : command.changes) {
    changes.push_back(json::object{{one.method, params_of(one)}});
  }
  return change("transaction", {{"changes", std::move(changes)}}, outcome);
}

Runner::Done Runner::change(std::string_view method, json::object params, StepOutcome& outcome) {
  if (Done near = approach(); !near) return near;
  params["at"] = {{"time_s", seconds(cursor_)}};
  const auto reply = bench_.call(method, std::move(params));
  if (!reply) return tl::make_unexpected(reply.error());
  const json::value* time = member(*reply, "time_s");
  if (time == nullptr || !time->is_number()) return not_understood(method);
  const SimTime took_effect = SimTime{} + from_seconds(time->to_number<double>());
  // A frame for the grid and one for a doubled step are nobody's fault.
  const Duration late = took_effect - cursor_;
  if (planned_ && late > period_ * 2) {
    outcome.message = fmt::format("took effect {:.6g} s late", seconds(late));
  }
  cursor_ = std::max(cursor_, took_effect);
  planned_ = false;
  forget();
  return {};
}

Answer<double> Runner::present_value(const std::string& name) {
  if (Done now = advance_to(cursor_); !now) return tl::make_unexpected(now.error());
  const auto reply = bench_.call("get", {{"names", json::array{name}}});
  if (!reply) return tl::make_unexpected(reply.error());
  const json::value* values = member(*reply, "values");
  const json::value* value = values == nullptr ? nullptr : member(*values, name);
  if (value == nullptr || !value->is_number()) return not_understood("get");
  return value->to_number<double>();
}

Runner::Done Runner::perform(const Ramp& ramp, StepOutcome& outcome) {
  double from = ramp.from.value_or(0);
  if (!ramp.from) {
    const Answer<double> now = present_value(ramp.name);
    if (!now) return tl::make_unexpected(now.error());
    from = *now;
  }
  if (ramp.parameter) return ramp_parameter(ramp, from, outcome);
  Done started = change("stimulate",
                        {{"input", ramp.name},
                         {"shape", "ramp"},
                         {"replace", true},
                         {"offset", from},
                         {"amplitude", ramp.to - from},
                         {"over_s", seconds(ramp.over)}},
                        outcome);
  return started ? pass(ramp.over) : started;
}

/// Each setting has the value of its own time on the line, and is sent for that time.
Runner::Done Runner::ramp_parameter(const Ramp& ramp, double from, StepOutcome& outcome) {
  SimTime start = cursor_;
  const std::int64_t settings = std::max<std::int64_t>(ramp.over.ns / ramp.every.ns, 1);
  for (std::int64_t k = 0; k <= settings; ++k) {
    const SimTime at = k == settings ? start + ramp.over : start + ramp.every * k;
    // The last value is reached exactly.
    const double share = seconds(at - start) / seconds(ramp.over);
    const double value = k == settings ? ramp.to : from + (ramp.to - from) * share;
    cursor_ = std::max(cursor_, at);
    planned_ = planned_ || k > 0;
    Done set = change("set", {{"values", {{ramp.name, value}}}}, outcome);
    if (!set) return set;
    if (k == 0) start = cursor_;
  }
  return {};
}

}  // namespace hild::sequence
