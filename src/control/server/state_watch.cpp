// SPDX-License-Identifier: Apache-2.0
#include "control/server/state_watch.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "control/rpc/message.hpp"

namespace hild::server {
namespace {

using namespace std::chrono_literals;

constexpr auto watch_pace = 200ms;  // within a second everybody is to know

// What makes a topic another one than it was. How much is lost of a recording grows all the time;
// that it loses is told once.
std::string identity(const Topic& t) { return t.of == "recording" ? std::string(t.is) : t.words; }

// Of freezing and going on the overrun log tells, with their frames; of a plant that stands still
// the standstill log.
bool told_elsewhere(const Topic& t) {
  if (t.of == "plant") return true;
  if (t.of != "run") return false;
  const bool plain = t.is == "frozen" && t.words.find("single-stepping") == std::string::npos;
  return t.is == "starting" || t.is == "running" || plain;
}

json::object state(const std::vector<Topic>& topics) {
  return {{"state", topics.front().is}, {"told", told(topics)}};
}

}  // namespace

StateWatch::StateWatch(boost::asio::io_context& io, const Context& context)
    : context_(context), timer_(io) {}

json::object StateWatch::follow(const std::shared_ptr<Client>& client) {
  std::erase_if(followers_, [&](const Follower& f) { return f.client.lock() == client; });
  followers_.push_back({client});
  return state(topics_of(context_, newest_step(context_.run)));
}

void StateWatch::start() {
  look();
  timer_.after(watch_pace, [this] { start(); });
}

void StateWatch::look() {
  const auto topics = topics_of(context_, newest_step(context_.run));
  tell(topics);
  std::erase_if(followers_, [](const Follower& f) { return f.client.expired(); });
  for (Follower& f : followers_) {
    const auto client = f.client.lock();
    if (!f.owed || client == nullptr || !client->keeps_up()) continue;
    client->notify(json::serialize(rpc::notification("state", state(topics))));
    f.owed = false;
  }
}

// A line a topic. Of what holds from the start, who starts the run has warned, but of one thing.
void StateWatch::tell(const std::vector<Topic>& topics) {
  const bool first = known_.empty();
  known_.resize(topics.size());
  for (std::size_t i = 0; i < topics.size(); ++i) {
    const Topic& t = topics[i];
    std::string now = identity(t);
    if (now == known_[i]) continue;
    known_[i] = std::move(now);
    for (Follower& f : followers_) f.owed = true;
    const bool untold = t.of == "access" && t.level != Level::quiet;
    if ((first && !untold) || told_elsewhere(t)) continue;
    context_.run.tell(fmt::format("{}: {}", t.of, t.words), t.level == Level::bad);
  }
}

void StateWatch::close() {
  timer_.cancel();
  look();
  const std::string last = json::serialize(rpc::notification("ended", ending_of(context_.run)));
  for (const Follower& f : followers_) {
    const auto client = f.client.lock();
    if (client != nullptr && client->keeps_up()) client->notify(last);
  }
  followers_.clear();
}

}  // namespace hild::server
