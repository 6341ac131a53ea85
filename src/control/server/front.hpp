// SPDX-License-Identifier: Apache-2.0
/// \file
/// HTTP on a thread of its own: it listens, reads and writes, tells who is who, and passes on what
/// the run must be asked. Whatever comes from the network, the server's own thread sees no more of
/// it than that, one piece a turn.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <optional>
#include <unordered_map>

#include "config/config.hpp"
#include "control/server/connection.hpp"
#include "control/server/gate.hpp"
#include "control/server/places.hpp"
#include "control/server/rates.hpp"
#include "control/server/timer.hpp"
#include "control/server/users.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread.hpp"

namespace hild::server {

class Front final : public Link {
 public:
  /// All outlive this.
  Front(const config::Control& control, Gate& gate, const HttpPages& pages, Users users);
  ~Front() override;
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  /// Listens, on its thread from then on. `otherwise` is how else the run may be changed. Error:
  /// the port is in use, or may not be had.
  [[nodiscard]] Result<void> open(const std::string& otherwise);
  /// "http://127.0.0.1:8080/"; after open().
  [[nodiscard]] const std::string& where() const { return where_; }
  /// Why nobody may write by HTTP though it is not forbidden, and what to do; empty: somebody may.
  [[nodiscard]] const std::string& nobody_writes() const { return nobody_writes_; }
  /// No more is taken; what is owed is sent.
  void finish();

  // Link.

  void send(LinkId to, std::string text) override;
  void reply(LinkId to, HttpReply reply) override;
  void go_on(LinkId to) override;
  void part(LinkId to) override;
  void close(LinkId to) override;

  // For the connections, on its thread.

  [[nodiscard]] boost::asio::io_context& io() { return io_; }
  [[nodiscard]] Gate& gate() { return gate_; }
  [[nodiscard]] const HttpPages& pages() const { return pages_; }
  [[nodiscard]] const rpc::Limits& limits() const { return limits_; }
  [[nodiscard]] const config::Control& control() const { return control_; }
  /// It has shown who it is. False when there is no place among those that have.
  [[nodiscard]] bool join(const Visitor& visitor) { return places_.join(visitor.id); }
  [[nodiscard]] bool is_member(const Visitor& visitor) const {
    return places_.is_member(visitor.id);
  }
  /// It has asked something that was a request.
  void asked(const Visitor& visitor) { places_.active(visitor.id); }
  [[nodiscard]] TokenBucket& bucket(const Visitor& visitor);
  /// Goes on as another, in the same place.
  void become(std::shared_ptr<Connection> connection);
  void leave(const Visitor& visitor);

 private:
  using Socket = boost::asio::ip::tcp::socket;

  [[nodiscard]] Result<void> start_thread();
  void ask_who_may_write(const std::string& otherwise);
  void accept();
  void welcome(Socket socket);
  /// Whose it is; none where it is not loopback, or nothing tells.
  [[nodiscard]] std::optional<uid_t> user_of(const Socket::endpoint_type& at,
                                             const Socket::endpoint_type& to) const;
  [[nodiscard]] std::string may_not_write(std::optional<uid_t> user) const;
  void tell(LinkId to, std::function<void(Connection&)> what);

  config::Control control_;
  Gate& gate_;
  const HttpPages& pages_;
  Users users_;
  Users::Of of_;  // empty: nothing tells
  rpc::Limits limits_;
  std::string where_;
  std::string otherwise_;
  std::string nobody_writes_;
  Places places_;
  Rates rates_;
  LinkId last_ = 0;
  bool finishing_ = false;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      io_.get_executor()};
  std::unordered_map<LinkId, std::shared_ptr<Connection>> here_;
  std::optional<boost::asio::ip::tcp::acceptor> acceptor_;
  Timer retry_{io_};
  std::optional<rt::Thread> thread_;
  rt::Flag done_;  // its work
};

}  // namespace hild::server
