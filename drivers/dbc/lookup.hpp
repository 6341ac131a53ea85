// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files of the DBC format, and what is looked up in them by name. Load time only: allocates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drivers/dbc/database.hpp"
#include "hild/core/result.hpp"

namespace hild::can {

/// Reads a file. Error: as read_dbc(), or why the file cannot be read, with its path.
[[nodiscard]] Result<Database> read_dbc_file(std::string_view path);

/// What is to be said of a name that is none of the known ones: `did you mean "Speed"?`, or those
/// that there are, of which many are cut short.
[[nodiscard]] std::string suggestion(std::string_view found,
                                     const std::vector<std::string_view>& known);

/// The message of that name. Error: what was found and which names there are.
[[nodiscard]] Result<const Message*> find_message(const Database& database, std::string_view name);

/// A signal and the message it is in; both are of the database.
struct Found {
  const Message* message = nullptr;
  const Signal* signal = nullptr;
};
/// That of "Message.Signal". Error: what was found and which names there are.
[[nodiscard]] Result<Found> find_signal(const Database& database, std::string_view name);

/// Whether no other J1939 message of the database is of the parameter group, so that frames of any
/// source are of this one.
[[nodiscard]] bool alone_in_its_group(const Database& database, const Message& message);

/// How many switches are above a signal.
[[nodiscard]] std::size_t depth_of(const Message& message, const Signal& signal);

}  // namespace hild::can
