// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>

#include "control/server/listen.hpp"

namespace hild::server {

namespace asio = boost::asio;

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
