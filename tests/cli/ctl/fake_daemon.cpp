// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/fake_daemon.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace hild::ctl {
namespace {

namespace json = boost::json;

// A motor as the demonstration has it.
const char* const list_result = R"({
  "parameters": [{"name":"inertia","unit":"kg m2","value":4e-4,"start":4e-4,"low":1e-12,"high":null},
                 {"name":"ratio","unit":"1","value":1,"start":1,"low":0,"high":10}],
  "inputs": [{"name":"armature_voltage","unit":"V","value":6,"from":"rig channel 0"},
             {"name":"load_torque","unit":"N m","value":0.02,"from":null}],
  "outputs": [{"name":"shaft_speed","unit":"rad/s","value":120,"to":"rig channel 0","safe":0},
              {"name":"current","unit":"A","value":1.5,"to":null,"safe":null}],
  "states": [{"name":"current","unit":"A","value":1.5},{"name":"speed","unit":"rad/s","value":120}],
  "device_faults": [{"name":"bus.Command.delayed","unit":"s","low":1e-6,"high":10,"help":"late"}],
  "alarms": [{"name":"hot","watch":"state:current","unit":"A","below":null,"above":40,"hysteresis":2,
              "after_frames":200,"latch":true,"then":"disarm","text":"the winding is hot",
              "active":false,"open":true,"since_frame":812},
             {"name":"slow","watch":"shaft_speed","unit":"rad/s","below":20,"above":null,
              "hysteresis":0,"after_frames":0,"latch":false,"then":"note","text":"",
              "active":true,"open":true,"since_frame":900}],
  "recorders": [{"name":"record"}],
  "slots": [], "shapes": [], "overrides": []})";

const char* const methods_result = R"([
  {"name":"status","params":[],"summary":"how it goes","writes":false},
  {"name":"set","params":[{"name":"values","type":"x","required":true},{"name":"restart","type":"x"}],
   "summary":"parameters","writes":true},
  {"name":"mark","params":[{"name":"label","type":"x"}],"summary":"a record","writes":true}])";

}  // namespace

FakeDaemon::FakeDaemon() {
  answer("list", json::parse(list_result));
  answer("methods", json::parse(methods_result));
  answer("status", {{"period_s", 1e-3}, {"state", "running"}});
  // Control is nobody's, and whose it was last is whose it is given back by.
  const auto owner = std::make_shared<json::value>(nullptr);
  handle("take", [owner](const json::value& id, const Call& call) {
    *owner = call.params.at("owner");
    return Answer{.lines = {reply(id, {{"owner", *owner}, {"left_s", 600}, {"from", nullptr}})}};
  });
  handle("give", [owner](const json::value& id, const Call&) {
    return Answer{.lines = {reply(id, {{"owner", std::exchange(*owner, nullptr)}})}};
  });
  handle("subscribe", [](const json::value& id, const Call& call) {
    json::array units;
    for (const auto& name : call.params.at("names").as_array()) {
      units.emplace_back(name.as_string().ends_with("speed") ? "rad/s" : "A");
    }
    return Answer{.lines = {reply(id, {{"subscription", 1},
                                       {"names", call.params.at("names")},
                                       {"units", units},
                                       {"every", call.params.at("every")}})}};
  });
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = socket();
  std::copy_n(path.begin(), std::min(path.size(), sizeof address.sun_path - 1), address.sun_path);
  listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(listening_, 4), 0);
  EXPECT_EQ(::pipe2(wake_, O_CLOEXEC), 0);
  thread_ = std::thread([this] { serve(); });
}

FakeDaemon::~FakeDaemon() {
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
  ::close(listening_);
}

void FakeDaemon::answer(const std::string& method, json::value result) {
  handle(method, [result = std::move(result)](const json::value& id, const Call&) {
    return Answer{.lines = {reply(id, result)}};
  });
}

void FakeDaemon::refuse(const std::string& method, int code, const std::string& message) {
  handle(method, [=](const json::value& id, const Call&) {
    const json::value error{{"code", code}, {"message", message}, {"data", {{"frame", 7}}}};
    const json::value all{{"jsonrpc", "2.0"}, {"id", id}, {"error", error}};
    return Answer{.lines = {json::serialize(all)}};
  });
}

void FakeDaemon::handle(const std::string& method, Handler handler) {
  const std::scoped_lock lock(mutex_);
  handlers_[method] = std::move(handler);
}

std::vector<FakeDaemon::Call> FakeDaemon::calls() const {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

std::string FakeDaemon::reply(const json::value& id, json::value result) {
  return json::serialize(
      json::value{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string FakeDaemon::samples(const std::vector<std::int64_t>& frames,
                                const std::vector<std::vector<double>>& values, std::int64_t lost) {
  json::array times;
  json::array rows;
  for (const std::int64_t frame : frames) times.push_back(1e-3 * double(frame + 1));
  for (const auto& row : values) rows.push_back(json::array(row.begin(), row.end()));
  return json::serialize(json::value{{"jsonrpc", "2.0"},
                                     {"method", "samples"},
                                     {"params",
                                      {{"subscription", 1},
                                       {"frame", json::array(frames.begin(), frames.end())},
                                       {"time_s", times},
                                       {"values", rows},
                                       {"lost", lost}}}});
}

void FakeDaemon::serve() {
  while (true) {
    pollfd ready[2] = {{listening_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    ::poll(ready, 2, -1);
    if (ready[1].revents != 0) return;
    const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    serve_client(client);
    ::close(client);
  }
}

void FakeDaemon::serve_client(int client) {
  std::string received;
  while (true) {
    pollfd ready[2] = {{client, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    ::poll(ready, 2, -1);
    char chunk[4096];
    const ssize_t got = ready[1].revents != 0 ? 0 : ::recv(client, chunk, sizeof chunk, 0);
    if (got <= 0) return;
    received.append(chunk, static_cast<std::size_t>(got));
    for (auto end = received.find('\n'); end != std::string::npos; end = received.find('\n')) {
      const json::value request = json::parse(received.substr(0, end));
      received.erase(0, end + 1);
      const Answer answer = answer_to(request);
      for (const std::string& line : answer.lines) {
        const std::string text = line + "\n";
        if (::send(client, text.data(), text.size(), MSG_NOSIGNAL) < 0) return;
      }
      if (answer.hang_up) return;
    }
  }
}

FakeDaemon::Answer FakeDaemon::answer_to(const json::value& request) {
  const json::object& o = request.as_object();
  Call call{.method = std::string(o.at("method").as_string()), .params = {}};
  if (const auto* params = o.if_contains("params")) call.params = params->as_object();
  Handler handler;
  {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(call);
    if (const auto found = handlers_.find(call.method); found != handlers_.end()) {
      handler = found->second;
    }
  }
  if (handler) return handler(o.at("id"), call);
  return {.lines = {reply(o.at("id"), {{"frame", 7}, {"time_s", 0.007}})}};
}

test::Ended hildctl(const FakeDaemon& daemon, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--socket", daemon.socket()});
  // A machine that is busy is no daemon that is silent; those that are about silence say how long.
  if (std::ranges::find(arguments, "--timeout") == arguments.end()) {
    arguments.insert(arguments.end(), {"--timeout", "60"});
  }
  return test::hild(std::move(arguments));
}

}  // namespace hild::ctl
