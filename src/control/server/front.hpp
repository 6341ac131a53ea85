// SPDX-License-Identifier: Apache-2.0
/// \file
/// Serves HTTP on a thread of its own: listens, reads and writes, identifies who is connected, and
/// passes on what the run must be asked. The server's own thread is given nothing else of what
/// comes from the network, and that one piece a turn.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <optional>
#include <unordered_map>

#include "control/server/gate.hpp"
#include "control/server/io_thread.hpp"
#include "control/server/places.hpp"
#include "control/server/rates.hpp"
#include "control/server/timer.hpp"
#include "control/server/write_access.hpp"

namespace hild::server {

class Front;

/// The other end of a connection.
struct Visitor {
  LinkId id = 0;
  std::string from;                ///< its address, or its user where that is known
  std::vector<std::string> names;  ///< the names by which it may address the server
  Rights rights{};                 ///< without a token
};

/// A connection by HTTP; lives on the thread of the front.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Front& front, Visitor visitor) : front_(front), visitor_(std::move(visitor)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  [[nodiscard]] const Visitor& visitor() const { return visitor_; }

  // Asked for by the server's thread; see Front::tell().

  /// Sends the answer to what was posted, or the next text of a WebSocket, which reports it by
  /// Gate::sent().
  virtual void send(std::string text) = 0;
  /// Sends the reply to a page that was requested.
  virtual void reply(HttpReply /*reply*/) {}  // NOLINT: who overrides it keeps the reply
  /// Lets the WebSocket take its next text.
  virtual void go_on() {}
  /// Closes the WebSocket with a closing message.
  virtual void part() = 0;
  /// Closes the connection at once.
  virtual void close() = 0;

  /// Takes no more requests.
  virtual void finish() = 0;
  /// Closes the connection to make room for another.
  virtual void make_room() = 0;

 protected:
  Front& front_;
  Visitor visitor_;
  bool closed_ = false;
};

class Front {
 public:
  /// `gate` and `pages` outlive this.
  Front(const config::Control& control, Gate& gate, const HttpPages& pages, Users users);
  ~Front();

  /// Listens, and from then on serves on its own thread. `otherwise` says in words how else the run
  /// may be changed. Error: the port is in use, or may not be used.
  [[nodiscard]] Result<void> open(const std::string& otherwise);
  /// The address it listens at, "http://127.0.0.1:8080/"; after open().
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const WriteAccess& access() const { return access_; }
  /// Takes no more requests, and sends what is owed.
  void finish();

  /// Has `what` done on its thread with a connection, if that is still there; from any thread.
  void tell(LinkId to, std::function<void(Connection&)> what);

  // For the connections, on its thread.

  [[nodiscard]] boost::asio::io_context& io() { return thread_.io(); }
  [[nodiscard]] Gate& gate() { return gate_; }
  [[nodiscard]] const HttpPages& pages() const { return pages_; }
  [[nodiscard]] rpc::Limits limits() const { return {control_.message, control_.depth}; }
  [[nodiscard]] const config::Control& control() const { return control_; }
  /// Makes a visitor that has shown who it is a member. False when all places of members are taken.
  [[nodiscard]] bool join(const Visitor& visitor) { return places_.join(visitor.id); }
  [[nodiscard]] bool is_member(const Visitor& visitor) const {
    return places_.is_member(visitor.id);
  }
  /// Notes that a visitor has made a valid request.
  void asked(const Visitor& visitor) { places_.active(visitor.id); }
  [[nodiscard]] TokenBucket& bucket(const Visitor& visitor);
  /// Replaces a connection by another of the same visitor, as when it becomes a WebSocket.
  void become(std::shared_ptr<Connection> connection);
  void leave(const Visitor& visitor);

 private:
  using Socket = boost::asio::ip::tcp::socket;

  void accept();
  void welcome(Socket socket);

  config::Control control_;
  Gate& gate_;
  const HttpPages& pages_;
  WriteAccess access_;
  std::string where_;
  Places places_;
  Rates rates_;
  LinkId last_ = 0;
  bool finishing_ = false;
  IoThread thread_;
  std::unordered_map<LinkId, std::shared_ptr<Connection>> here_;
  std::optional<boost::asio::ip::tcp::acceptor> acceptor_;
  Timer retry_{thread_.io()};
};

}  // namespace hild::server
