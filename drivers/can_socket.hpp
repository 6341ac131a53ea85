// SPDX-License-Identifier: Apache-2.0
/// \file
/// The socket of a device: a raw one of SocketCAN, bound to its interface, which takes the wanted
/// identifiers alone, and tells when frames arrived, what there was no room for, and what became of
/// the controller.
#pragma once

#include <linux/can.h>

#include <span>
#include <string_view>

#include "hild/core/descriptor.hpp"
#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::can {

/// Where frames come from and go to.
struct Link {
  Name interface;
  bool fd = false;  ///< frames of CAN FD too
};

/// Opens it. The error says what to do; of ExitCode::device_failed. Load time.
[[nodiscard]] Result<Descriptor> open_socket(const Link& link, std::span<const can_filter> wanted);
/// Whether there is such an interface, which is up, and is one of CAN. Load time.
[[nodiscard]] Result<void> check_interface(const Link& link);

/// Whether it is of the kernel alone (vcan, vxcan), with no controller that tells of errors. Load
/// time.
[[nodiscard]] bool is_virtual(const Link& link);
/// What the controller of an interface tells of itself (linux/can/error.h): class, and what of it.
struct ControllerError {
  canid_t kind = 0;             ///< CAN_ERR_BUSOFF, say
  std::uint8_t controller = 0;  ///< CAN_ERR_CRTL_TX_PASSIVE, say
  std::uint8_t protocol = 0;    ///< CAN_ERR_PROT_STUFF, say
};
/// As a controller would tell it to all who listen on a virtual interface; one that is not taken is
/// lost, as is one of a controller. Real-time safe.
void tell_error(int socket, const ControllerError& error) noexcept;

/// Whether the socket is of no more use after a call that told so by errno: else there was nothing
/// to read, or no room.
[[nodiscard]] bool is_lasting(int error) noexcept;

/// That a call could not do `what` ("receive"), for which reason, and what to do; of
/// ExitCode::device_failed. Not real-time safe.
[[nodiscard]] tl::unexpected<Error> refuse(int error, std::string_view what, const Link& link);
/// What to do about an errno of a socket.
[[nodiscard]] std::string_view remedy(int error) noexcept;

}  // namespace hild::can
