// SPDX-License-Identifier: Apache-2.0
/// \file
/// The default path of the control socket: the daemon and its clients look in the same place.
#pragma once

#include <string>

namespace hild::rpc {

/// `$RUNTIME_DIRECTORY/control.sock` under a service manager, else `/run/hild/control.sock` for
/// root, else `$XDG_RUNTIME_DIR/hild/control.sock`, else `/tmp/hild-UID/control.sock`.
[[nodiscard]] std::string default_socket();

/// The socket a client connects to: `asked` unless empty, then `$HILD_SOCKET`, then
/// default_socket().
[[nodiscard]] std::string client_socket(const std::string& asked);

}  // namespace hild::rpc
