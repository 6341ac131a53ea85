// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opens the sockets to which clients connect.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>

#include "hild/core/result.hpp"

namespace hild::server {

/// A Unix socket that listens at a path. The destructor removes the path.
class UnixListener {
 public:
  using Acceptor = boost::asio::local::stream_protocol::acceptor;

  /// Opens it. A socket left over from a dead process is replaced. Error: another daemon answers
  /// there, something else is there, the folder or the group is missing, or it is not permitted.
  [[nodiscard]] static Result<UnixListener> open(boost::asio::io_context& io,
                                                 const std::string& path, unsigned mode,
                                                 const std::string& group);
  UnixListener(UnixListener&& other) noexcept = default;
  UnixListener& operator=(UnixListener&&) = delete;
  ~UnixListener();

  [[nodiscard]] Acceptor& acceptor() noexcept { return acceptor_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  UnixListener(Acceptor acceptor, std::string path);
  Acceptor acceptor_;
  std::string path_;
  unsigned long device_ = 0;  // identity of the file at the path, so that nothing else is removed
  unsigned long inode_ = 0;
};

/// Makes the folder of a default socket; for its owner alone unless it is root's. Error: it cannot
/// be made, or belongs to somebody else.
[[nodiscard]] Result<void> make_folder_of(const std::string& path);

/// Listens at a TCP address. Error: it is in use, or not this machine's.
[[nodiscard]] Result<boost::asio::ip::tcp::acceptor> listen_tcp(boost::asio::io_context& io,
                                                                const std::string& address,
                                                                std::uint16_t port);

}  // namespace hild::server
