// SPDX-License-Identifier: Apache-2.0
#include "control_clients.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "support/crowd.hpp"

namespace hild::bench {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using Failure = boost::system::error_code;

enum class Kind { asks, stalls, garbles, steers };
constexpr int steering = 8;  // of them all

std::string request(const char* method, const char* params) {
  return std::string(R"({"jsonrpc": "2.0", "id": 1, "method": ")") + method + R"(", "params": )" +
         params + "}\n";
}

class OneClient : public std::enable_shared_from_this<OneClient> {
 public:
  OneClient(asio::io_context& io, Kind kind, unsigned seed)
      : socket_(io), timer_(io), kind_(kind), random_(seed) {}

  void begin(const std::string& path) {
    Failure failure;
    socket_.connect(asio::local::stream_protocol::endpoint(path), failure);
    if (failure) return;
    if (kind_ == Kind::stalls) {
      send(request("subscribe", R"({"names": ["speed", "torque", "shaft_speed"], "every": 1})"));
      for (int i = 0; i < 200; ++i) send(request("list", "{}"));
      return;
    }
    if (kind_ == Kind::asks) {
      send(request("subscribe", R"({"names": ["speed", "torque", "shaft_speed"], "every": 10})"));
    }
    read();
    timer_.expires_after(std::chrono::milliseconds(random_() % 100));  // not all at once
    wait();
  }
  void end() {
    Failure ignored;
    socket_.close(ignored);
    timer_.cancel();
  }

 private:
  void read() {
    socket_.async_read_some(asio::buffer(chunk_),
                            [this, self = shared_from_this()](const Failure& failure, std::size_t) {
                              if (!failure) read();
                            });
  }
  void wait() {
    timer_.async_wait([this, self = shared_from_this()](const Failure& failure) {
      if (failure || !socket_.is_open()) return;
      ask();
      timer_.expires_after(100ms);
      wait();
    });
  }
  void ask() {
    if (kind_ == Kind::asks) {
      send(++asked_ % 2 == 0 ? request("status", "{}")
                             : request("get", R"({"names": ["speed", "torque"]})"));
      return;
    }
    if (kind_ == Kind::steers) return send(request("set", R"({"values": {"inertia": 1e-4}})"));
    std::string bytes(4096, '\0');
    for (char& c : bytes) c = static_cast<char>(random_());
    send(bytes);
  }
  void send(const std::string& text) {
    Failure failure;
    socket_.non_blocking(true, failure);
    socket_.write_some(asio::buffer(text), failure);
  }

  asio::local::stream_protocol::socket socket_;
  asio::steady_timer timer_;
  Kind kind_;
  std::minstd_rand random_;
  std::array<char, 65536> chunk_{};
  int asked_ = 0;
};

[[noreturn]] void run(int commands, const std::string& socket, int clients) {
  asio::io_context io;
  asio::posix::stream_descriptor input(io, commands);
  std::vector<std::shared_ptr<OneClient>> all;
  char word = 0;
  std::function<void()> next = [&] {
    asio::async_read(input, asio::buffer(&word, 1), [&](const Failure& failure, std::size_t) {
      if (failure) _exit(0);  // who asked has gone
      for (const auto& c : all) c->end();
      all.clear();
      const bool quiet = word != 'b';
      for (int i = 0; i < (quiet ? 1 : clients); ++i) {
        const Kind kind = quiet              ? Kind::asks
                          : i == 0           ? Kind::stalls
                          : i == 1           ? Kind::garbles
                          : i < 2 + steering ? Kind::steers
                                             : Kind::asks;
        all.push_back(std::make_shared<OneClient>(io, kind, static_cast<unsigned>(i + 1)));
        all.back()->begin(socket);
      }
      next();
    });
  };
  next();
  io.run();
  _exit(0);
}

[[noreturn]] void run(int commands, std::uint16_t port, int clients) {
  std::unique_ptr<testing::Crowd> crowd;
  const std::size_t sockets = testing::sockets_that_may_be(static_cast<std::size_t>(clients));
  char word = 0;
  while (::read(commands, &word, 1) == 1) {
    crowd.reset();
    if (word == 'b') crowd = std::make_unique<testing::Crowd>(port, sockets);
  }
  _exit(0);
}

/// Of a child that does what it is told; where to tell it.
template <class Address>
std::pair<int, int> start(const Address& address, int clients) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return {-1, -1};
  const int child = ::fork();
  if (child == 0) {
    ::close(ends[1]);
    run(ends[0], address, clients);
  }
  ::close(ends[0]);
  return {child, ends[1]};
}

}  // namespace

ControlClients::ControlClients(const std::string& socket, int clients) {
  std::tie(child_, pipe_) = start(socket, clients);
}

ControlClients::ControlClients(std::uint16_t port, int clients) {
  std::tie(child_, pipe_) = start(port, clients);
}

ControlClients::~ControlClients() {
  ::close(pipe_);
  ::waitpid(child_, nullptr, 0);
}

void ControlClients::tell(char word) const {
  if (::write(pipe_, &word, 1) != 1) std::abort();
}

}  // namespace hild::bench
