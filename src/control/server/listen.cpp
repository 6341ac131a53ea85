// SPDX-License-Identifier: Apache-2.0
#include "control/server/listen.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "hild/core/descriptor.hpp"

namespace hild::server {
namespace {

namespace asio = boost::asio;

std::string why() { return std::strerror(errno); }

int stream_socket() { return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// One daemon at a time: two that find the same dead socket must not both take its place. It takes
// either a moment.
constexpr std::chrono::seconds lock_patience{1};
bool lock(int folder) {
  constexpr std::chrono::milliseconds nap{20};
  for (auto left = lock_patience / nap; ::flock(folder, LOCK_EX | LOCK_NB) != 0; --left) {
    if (left == 0 || (errno != EWOULDBLOCK && errno != EINTR)) return false;
    std::this_thread::sleep_for(nap);
  }
  return true;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

/// Whether somebody listens. A full backlog is somebody too.
bool answers(const sockaddr_un& address) {
  const Descriptor probe(stream_socket());
  const auto* generic = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(probe.get(), generic, sizeof address) == 0 ||
         (errno != ECONNREFUSED && errno != ENOENT);
}

Result<void> clear_the_way(const std::string& path, const sockaddr_un& address) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) {
    if (errno == ENOENT) return {};
    return fail("control.socket: {}: {}", path, why());
  }
  if (!S_ISSOCK(there.st_mode)) {
    return fail(
        "control.socket: {}: there is something that is no socket; remove it, or choose "
        "another path",
        path);
  }
  if (answers(address)) {
    return fail(
        "control.socket: another daemon answers on {}; stop it (hildctl stop), or choose "
        "another path",
        path);
  }
  if (::unlink(path.c_str()) == 0) return {};
  return fail("control.socket: {}, left over from a dead process: {}", path, why());
}

Result<gid_t> group_id(const std::string& group) {
  std::array<char, 16384> scratch{};
  struct group entry {};
  struct group* found = nullptr;
  ::getgrnam_r(group.c_str(), &entry, scratch.data(), scratch.size(), &found);
  if (found != nullptr) return entry.gr_gid;
  return fail("control.group: there is no group \"{}\"; make it with: groupadd {}", group, group);
}

/// Bound with no rights for anybody but the owner; then they are widened.
Result<void> bind_and_listen(const Descriptor& fd, const sockaddr_un& address,
                             const std::string& path, unsigned mode, const std::string& group) {
  std::optional<gid_t> gid;
  if (!group.empty()) {
    const auto found = group_id(group);
    if (!found) return tl::make_unexpected(found.error());
    gid = *found;
  }
  const auto undone = [&] {
    std::string reason = why();
    ::unlink(path.c_str());
    return reason;
  };
  ::fchmod(fd.get(), 0600);  // what bind() gives to the path
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return fail("control.socket: {}: {}", path, why());
  }
  if (gid && ::lchown(path.c_str(), static_cast<uid_t>(-1), *gid) != 0) {
    return fail("control.group: {} cannot be given to \"{}\": {}; run as root or as a member", path,
                group, undone());
  }
  if (::chmod(path.c_str(), mode) != 0 || ::listen(fd.get(), SOMAXCONN) != 0) {
    return fail("control.socket: {}: {}", path, undone());
  }
  return {};
}

}  // namespace

Result<UnixListener> UnixListener::open(asio::io_context& io, const std::string& path,
                                        unsigned mode, const std::string& group) {
  const sockaddr_un address = address_of(path);
  if (path.size() >= sizeof address.sun_path) {
    return fail("control.socket: {}: {} bytes, expected at most {}", path, path.size(),
                sizeof address.sun_path - 1);
  }
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  const Descriptor locked(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!locked) return fail("control.socket: {}: {}", folder, why());
  if (!lock(locked.get())) {
    return fail(
        "control.socket: {}: locked by another process for {} s: {}; end it (`lslocks` tells "
        "which), or "
        "choose another folder",
        folder, std::chrono::seconds(lock_patience).count(), why());
  }
  if (auto cleared = clear_the_way(path, address); !cleared) {
    return tl::make_unexpected(cleared.error());
  }
  Descriptor fd(stream_socket());
  if (auto bound = bind_and_listen(fd, address, path, mode, group); !bound) {
    return tl::make_unexpected(bound.error());
  }
  Acceptor acceptor(io);
  boost::system::error_code failure;
  acceptor.assign(asio::local::stream_protocol(), fd.get(), failure);
  if (failure) return fail("control.socket: {}: {}", path, failure.message());
  (void)fd.release();  // the acceptor has it
  return UnixListener(std::move(acceptor), path);
}

UnixListener::UnixListener(Acceptor acceptor, std::string path)
    : acceptor_(std::move(acceptor)), path_(std::move(path)) {
  struct stat there {};
  if (::lstat(path_.c_str(), &there) != 0) return;
  device_ = there.st_dev;
  inode_ = there.st_ino;
}

UnixListener::~UnixListener() {
  if (path_.empty()) return;
  struct stat there {};
  const bool is_there = ::lstat(path_.c_str(), &there) == 0;
  if (is_there && there.st_dev == device_ && there.st_ino == inode_) ::unlink(path_.c_str());
}

Result<void> make_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const bool root = ::geteuid() == 0;
  // Others may pass through root's: what they may open is a matter of the socket.
  if (::mkdir(folder.c_str(), root ? 0755 : 0700) != 0 && errno != EEXIST) {
    return fail("control.socket: {}: {}", folder, why());
  }
  struct stat there {};
  if (::lstat(folder.c_str(), &there) != 0) return fail("control.socket: {}: {}", folder, why());
  const bool ours = S_ISDIR(there.st_mode) && there.st_uid == ::geteuid();
  if (ours && (there.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
  return fail("control.socket: {} is not this user's alone; remove it, or choose a path", folder);
}

Result<asio::ip::tcp::acceptor> listen_tcp(asio::io_context& io, const std::string& address,
                                           std::uint16_t port) {
  boost::system::error_code failure;
  const asio::ip::tcp::endpoint end(asio::ip::make_address(address, failure), port);
  asio::ip::tcp::acceptor acceptor(io);
  if (!failure) acceptor.open(end.protocol(), failure);
  // So that a daemon can start again while connections to the one before it die away.
  if (!failure) acceptor.set_option(asio::socket_base::reuse_address(true), failure);
  if (!failure) acceptor.bind(end, failure);
  if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
  if (!failure) return acceptor;
  if (failure == asio::error::address_in_use) {
    return fail(
        "control.http: {}:{} is in use, perhaps by another daemon; stop it, or choose "
        "another port: --set control.http={}:{}",
        address, port, address, port + 1);
  }
  return fail("control.http: {}:{}: {}", address, port, failure.message());
}

}  // namespace hild::server
