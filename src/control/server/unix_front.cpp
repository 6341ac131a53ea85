// SPDX-License-Identifier: Apache-2.0
#include "control/server/unix_front.hpp"

#include <fmt/format.h>

#include "control/rpc/socket_path.hpp"

namespace hild::server {
namespace {

constexpr auto soon = std::chrono::milliseconds(100);  // some descriptors will be given back

/// Beyond the clients that may be, for what makes the run safe: who comes next takes the place of
/// the one that has been there longest.
constexpr std::size_t urgent_places = 16;

std::string too_many_clients(std::size_t most) {
  return fmt::format(
      "{} clients already: only disarm, freeze and stop are taken; try again when one has left, or "
      "raise control.limits.clients",
      most);
}

}  // namespace

Result<void> UnixFront::open() {
  if (place_.socket.empty()) return {};
  const bool usual = place_.socket == "auto";
  const std::string path = usual ? rpc::default_socket() : place_.socket;
  if (usual) {
    if (auto made = make_folder_of(path); !made) return made;
  }
  auto listener = UnixListener::open(service_.io, path, place_.mode, place_.group);
  if (!listener) return tl::make_unexpected(listener.error());
  listener_.emplace(std::move(*listener));
  accept();
  return {};
}

void UnixFront::accept() {
  listener_->acceptor().async_accept(
      [this](const boost::system::error_code& failure, UnixSession::Socket socket) {
        if (!listener_) return;
        if (failure) return retry_.after(soon, [this] { accept(); });
        welcome(std::move(socket));
        accept();
      });
}

void UnixFront::welcome(UnixSession::Socket socket) {
  const auto gone = [](const auto& session) { return session.expired(); };
  std::erase_if(sessions_, gone);
  std::erase_if(urgent_, gone);
  const bool crowded = sessions_.size() >= place_.clients;
  Sessions& its = crowded ? urgent_ : sessions_;
  if (crowded && its.size() == urgent_places) {
    if (const auto oldest = its.front().lock()) oldest->close();
    its.pop_front();
  }
  const auto session =
      std::make_shared<UnixSession>(std::move(socket), service_, Rights{.role = place_.role},
                                    crowded ? too_many_clients(place_.clients) : std::string());
  its.push_back(session);
  service_.clients.add(session);
  session->start();
}

void UnixFront::close() {
  listener_.reset();
  retry_.cancel();
}

}  // namespace hild::server
