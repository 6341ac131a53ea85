// SPDX-License-Identifier: Apache-2.0
#include "control/server/subscriptions.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>
#include <iterator>

#include "control/server/clients.hpp"
#include "control/server/refused.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

using namespace std::chrono_literals;

constexpr auto pace = 50ms;

void append(std::string& out, double v) {
  if (std::isfinite(v)) {
    fmt::format_to(std::back_inserter(out), "{}", v);
  } else {
    out += "null";
  }
}

}  // namespace

Subscriptions::Subscriptions(boost::asio::io_context& io, SampleTap& tap, const Names& names,
                             double rate_hz)
    : tap_(tap),
      names_(names),
      usual_every_(std::max<std::int64_t>(1, std::llround(rate_hz / 100))),
      timer_(io) {}

json::object Subscriptions::subscribe(Params& params, const std::shared_ptr<Client>& client,
                                      std::int64_t frame) {
  if (!client->can_subscribe()) {
    refuse(rpc::Code::no_such_method,
           "subscribe: POST has no way to send samples; use the Unix socket or ws://HOST/ws");
  }
  Subscription s;
  s.client = client;
  s.first_frame = frame;
  json::array names;
  json::array units;
  for (const std::string& name : params.texts("names")) {
    const Place place = names_.find(name, sampled_kinds(name), params.name_of("names"));
    const std::size_t column = sample_column(names_, place);
    if (std::ranges::find(s.columns, column) != s.columns.end()) {
      params.reject("names", fmt::format("\"{}\" is there twice", name));
    }
    s.columns.push_back(column);
    names.emplace_back(name);
    units.emplace_back(place.kind == Kind::alarm ? "1" : names_.unit(place));
  }
  if (s.columns.empty()) params.reject("names", "expected the name of a signal at least");
  s.every = params.integer("every", 1, 1'000'000'000, usual_every_);
  params.refuse_unknown();
  const auto has = std::ranges::count_if(
      all_, [&](const Subscription& other) { return other.client.lock() == client; });
  if (has == most_of_a_client) {
    refuse(rpc::Code::invalid_params, "{} subscriptions already: unsubscribe one first",
           most_of_a_client);
  }
  s.id = ++last_id_;
  if (all_.empty()) {
    tap_.want(true);
    wait();
  }
  all_.push_back(std::move(s));
  return {{"subscription", last_id_},
          {"names", std::move(names)},
          {"units", std::move(units)},
          {"every", all_.back().every}};
}

json::object Subscriptions::unsubscribe(Params& params, const Client& client) {
  const std::int64_t id = params.integer("subscription", 1, INT64_MAX);
  params.refuse_unknown();
  const auto found = std::ranges::find_if(
      all_, [&](const Subscription& s) { return s.id == id && s.client.lock().get() == &client; });
  if (found == all_.end()) {
    params.reject("subscription", fmt::format("{} is no subscription of this client", id));
  }
  all_.erase(found);
  if (all_.empty()) close();
  return {};
}

bool Subscriptions::has(const Client& client) const {
  return std::ranges::any_of(
      all_, [&](const Subscription& s) { return s.client.lock().get() == &client; });
}

void Subscriptions::forget(const Client& client) {
  std::erase_if(all_, [&](const Subscription& s) {
    const auto its = s.client.lock();
    return its == nullptr || its.get() == &client;
  });
  if (all_.empty()) close();
}

void Subscriptions::close() {
  all_.clear();
  tap_.want(false);
  timer_.cancel();
}

void Subscriptions::wait() {
  timer_.after(pace, [this] {
    send();
    wait();
  });
}

void Subscriptions::send() {
  tap_.drain([this](const SampleTap::Sample& sample) {
    for (Subscription& s : all_) add_row(s, sample);
  });
  for (Subscription& s : all_) send(s);
}

void Subscriptions::add_row(Subscription& s, const SampleTap::Sample& sample) {
  if (sample.frame < s.first_frame) return;
  if (s.next < 0) s.next = sample.step;
  if (sample.step < s.next) return;
  const std::int64_t passed = (sample.step - s.next) / s.every;  // rows that never arrived
  const bool due = (sample.step - s.next) % s.every == 0;
  const std::int64_t missed = due ? passed : passed + 1;
  s.lost += missed;
  lost_ += missed;
  s.next += (passed + 1) * s.every;
  if (!due) return;
  s.frames.push_back(sample.frame);
  s.times.push_back(in_seconds(sample.time));
  const std::size_t signals = sample.values.size();
  for (const std::size_t c : s.columns) {
    s.values.push_back(c < signals ? sample.values[c]
                                   : alarm_sample(sample.alarms, sample.alarms_open, c - signals));
  }
}

void Subscriptions::send(Subscription& s) {
  if (s.frames.empty()) return;
  const auto client = s.client.lock();
  if (client != nullptr && client->keeps_up()) {
    client->notify(text_of(s));
    s.lost = 0;
  } else {
    const auto rows = static_cast<std::int64_t>(s.frames.size());
    s.lost += rows;
    lost_ += rows;
  }
  s.frames.clear();
  s.times.clear();
  s.values.clear();
}

// Written out directly: there may be many numbers, and no value of JSON need be built of them.
std::string Subscriptions::text_of(const Subscription& s) {
  std::string out = fmt::format(
      R"({{"jsonrpc":"2.0","method":"samples","params":{{"subscription":{},"frame":[{}],"time_s":[{}],"values":[)",
      s.id, fmt::join(s.frames, ","), fmt::join(s.times, ","));
  for (std::size_t at = 0; at < s.values.size(); at += s.columns.size()) {
    out += at == 0 ? "[" : ",[";
    for (std::size_t c = 0; c < s.columns.size(); ++c) {
      if (c > 0) out += ',';
      append(out, s.values[at + c]);
    }
    out += ']';
  }
  fmt::format_to(std::back_inserter(out), R"(],"lost":{}}}}})", s.lost);
  return out;
}

}  // namespace hild::server
