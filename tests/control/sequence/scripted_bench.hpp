// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run on a virtual clock of 1 kHz, whose signals are functions written down by the test. Time
/// moves only as it is asked for: a call costs the frames until it takes effect, samples() the next
/// 50 ms.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "control/sequence/bench.hpp"
#include "control/sequence/names.hpp"

namespace hild::sequence {

class ScriptedBench final : public Bench {
 public:
  struct Call {
    std::string method;
    boost::json::object params;
    std::int64_t frame = 0;  ///< at whose start it took effect; of a read, of the moment
  };

  /// What a signal is at the end of a step, `t` in seconds.
  std::function<double(const std::string& name, double t)> signal = [](auto&, double) { return 0; };
  /// Told of a change when it takes effect, at the start of a step.
  std::function<void(const Call&)> took_effect = [](auto&) {};
  /// May fail a call before it does anything.
  std::function<std::optional<Failure>(const std::string& method)> refuse = [](auto&) {
    return std::nullopt;
  };
  /// Samples lost before the one at the end of this frame.
  std::map<std::int64_t, std::int64_t> lost_before;
  /// No samples from this frame on.
  std::int64_t stands_still_at = INT64_MAX;
  Failure::Kind why_still = Failure::Kind::stalled;
  std::int64_t frame = 0;    ///< the one to come
  std::int64_t latency = 1;  ///< frames from a call to the earliest step it can change

  /// Why the recorder, which takes 100 frames to begin, does not; "": it does.
  std::string recorder_error;
  std::int64_t recorder_asked_at = -1;

  std::vector<Call> calls;  ///< changes, and `get`
  std::vector<std::string> subscribed;
  bool unsubscribed = false;

  boost::json::value call(std::string_view method, boost::json::object params) override {
    const std::string name(method);
    if (auto failure = refuse(name)) throw *failure;
    if (name == "status") return {{"period_s", 1e-3}, {"recorders", boost::json::array{fast()}}};
    if (name == "unsubscribe") {
      unsubscribed = true;
      return boost::json::object{};
    }
    if (name == "subscribe") {
      for (const auto& n : params.at("names").as_array()) {
        subscribed.emplace_back(n.as_string());
      }
      return {{"subscription", 1}};
    }
    if (name == "get") return get(params);
    if (name == "record" || name == "unrecord") {
      calls.push_back({name, std::move(params), frame});
      recorder_asked_at = name == "record" ? frame : -1;
      return {{"recorders", boost::json::array{fast()}}};
    }
    return change({name, std::move(params)});
  }

  Samples samples(SimTime /*until*/) override {
    if (waiting_.times.empty()) advance(50);
    if (waiting_.times.empty()) throw Failure{why_still, "stands still"};
    return std::exchange(waiting_, {});
  }

  /// Those of one method.
  [[nodiscard]] std::vector<Call> calls_of(std::string_view method) const {
    std::vector<Call> some;
    std::ranges::copy_if(calls, std::back_inserter(some),
                         [&](const Call& c) { return c.method == method; });
    return some;
  }

 private:
  [[nodiscard]] boost::json::object fast() const {
    const bool asked = recorder_asked_at >= 0;
    const bool decided = asked && frame >= recorder_asked_at + 100;
    const bool records = decided && recorder_error.empty();
    return {{"name", "fast"},
            {"state", asked && !decided ? "beginning"
                      : records         ? "recording"
                                        : "idle"},
            {"error", decided ? recorder_error : ""}};
  }

  void advance(std::int64_t frames) {
    for (; frames > 0 && frame < stands_still_at; --frames) {
      const std::int64_t now = frame++;
      if (const auto lost = lost_before.find(now); lost != lost_before.end()) {
        // What was dropped ends a message: the next one tells.
        waiting_.lost += lost->second;
      }
      waiting_.times.push_back(SimTime{frame * 1'000'000});
      auto& row = waiting_.values.emplace_back();
      for (const auto& name : subscribed) row.push_back(signal(name, 1e-3 * double(frame)));
    }
  }

  boost::json::value get(const boost::json::object& params) {
    boost::json::object values;
    for (const auto& n : params.at("names").as_array()) {
      const std::string name(n.as_string());
      values[name] = signal(name, 1e-3 * double(frame));
    }
    calls.push_back({"get", params, frame});
    return {{"frame", frame}, {"values", values}};
  }

  boost::json::value change(Call call) {
    const double at = call.params.at("at").at("time_s").to_number<double>();
    // The first frame that starts then or later: 1e-9 off is the rounding of decimal seconds.
    const auto first = std::int64_t(std::ceil(at * 1e3 - 1e-6));
    advance(std::max(first - frame, latency));
    call.frame = frame;
    call.params.erase("at");
    took_effect(call);
    calls.push_back(call);
    return {{"frame", frame}, {"time_s", 1e-3 * double(frame)}};
  }

  Samples waiting_;
};

/// What such a run has by name.
inline Names bench_names() {
  return Names({{Kind::parameter, "inertia", "kg m2"},
                {Kind::parameter, "ratio", "1"},
                {Kind::input, "load_torque", "N m"},
                {Kind::output, "shaft_speed", "rad/s"},
                {Kind::output, "current", "A"},
                {Kind::device_fault, "bus.Command.missing", ""},
                {Kind::device_fault, "bus.Command.delayed", "s"},
                {Kind::alarm, "hot", ""},
                {Kind::state, "current", "A"},
                {Kind::state, "speed", "rad/s"},
                {Kind::recorder, "fast", "1"}});
}

}  // namespace hild::sequence
