// SPDX-License-Identifier: Apache-2.0
/// \file
/// The socket of a device: bound, joined to its group, and set up to tell when packets arrived,
/// what the kernel had no room for, and that nobody takes what is sent.
#pragma once

#include <optional>

#include "drivers/udp_address.hpp"
#include "hild/core/descriptor.hpp"

namespace hild::udp {

/// Where packets arrive and where they go to; one of them at least.
struct Ends {
  std::optional<Address> listen;
  std::optional<Address> send;
  Name interface;  ///< empty: what the routes say
};

/// Opens it. Addresses of one link get their interface. The error says what to do; of
/// ExitCode::device_failed. Load time.
[[nodiscard]] Result<Descriptor> open_socket(Ends& ends);

/// What a call tells by errno.
enum class Trouble {
  none,     ///< nothing to read, or no room: it passes
  network,  ///< the network told that an earlier packet was not taken; of the call itself nothing
  lasting,  ///< the socket is of no more use
};
[[nodiscard]] Trouble trouble_of(int error) noexcept;

/// Throws away what the network told of earlier packets, which else would take the room of those to
/// come; a few at a time. One system call. Real-time safe.
void forget_errors(int socket) noexcept;

/// What to do about an errno of a socket.
[[nodiscard]] std::string_view remedy(int error) noexcept;

}  // namespace hild::udp
