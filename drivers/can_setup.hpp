// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a device of CAN receives and sends, as it follows from the DBC file, from the keys of the
/// device and from its channels. Load time.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "drivers/can/bus_load.hpp"
#include "drivers/can_faults.hpp"
#include "drivers/can_message.hpp"
#include "drivers/can_socket.hpp"
#include "drivers/dbc/database.hpp"
#include "hild/io/device.hpp"

namespace hild::can {

class Setup {
 public:
  /// `devices: {bus: {driver: can, ...}}`; what is wrong is told by Options::reject().
  explicit Setup(io::Options& options);

  /// `{signal: Message.Signal}`, or of an output `{trigger: Message}`.
  [[nodiscard]] Result<io::Channel> add(io::Direction direction, io::Options& entry);

  /// When all channels are there: whether what is to be sent can be.
  [[nodiscard]] Result<void> check() const;

  [[nodiscard]] const Link& link() const noexcept { return link_; }
  [[nodiscard]] std::size_t at_once() const noexcept { return at_once_; }
  [[nodiscard]] const std::vector<Incoming>& incoming() const noexcept { return incoming_; }
  /// All messages of the file in its order, whoever sends them, each with all its signals: of those
  /// `input` is the place in the message.
  [[nodiscard]] std::vector<Incoming> all_messages() const;
  /// What the file says.
  [[nodiscard]] const Database& database() const noexcept { return database_; }
  /// Of the inputs, before a frame has come.
  [[nodiscard]] const std::vector<double>& start() const noexcept { return start_; }
  /// With the constants of what no output is on.
  [[nodiscard]] std::vector<Outgoing> outgoing() const;
  /// Of its messages, as incoming() and outgoing() have them, and of the bus; once all channels are
  /// there. Always the same memory.
  [[nodiscard]] const Faults& faults() const;
  /// How much of the bus its messages take, where the bit rate is known.
  [[nodiscard]] io::DeviceRemark remark() const;
  [[nodiscard]] std::size_t outputs() const noexcept { return outputs_.size(); }

 private:
  /// What the configuration says of a message.
  struct Keys {
    Protection protection{};
    Outgoing sending{};  ///< its way of being sent
    bool told = false;   ///< whether it is under `receive` or `transmit`
    bool rest = false;   ///< of a node under `rest_of_bus`
  };
  /// An output, in the order of add(): a signal, or the trigger of a message.
  struct Placed {
    static constexpr std::size_t trigger = SIZE_MAX;
    std::size_t message, signal;
  };
  void read_messages(io::Options& options);
  void read_rest(io::Options* nodes, std::size_t message);
  void find_load();
  [[nodiscard]] Incoming without_parts(std::size_t message) const;
  [[nodiscard]] Result<std::size_t> group_of(std::size_t message);
  [[nodiscard]] Result<io::Channel> add_input(const Placed& at, io::Options& entry,
                                              io::Channel channel);
  [[nodiscard]] Result<void> add_output(const Placed& at);
  [[nodiscard]] Result<io::Channel> add_trigger(io::Options& entry);
  [[nodiscard]] bool is_sent(std::size_t message) const;
  [[nodiscard]] bool is_output(std::size_t message, std::size_t signal) const;
  [[nodiscard]] Result<void> check_switches(const Placed& output) const;

  Database database_;
  Link link_;
  std::size_t at_once_ = 64;
  std::vector<Keys> received_;  ///< by message of the file
  std::vector<Keys> sent_;
  std::vector<Incoming> incoming_;
  std::vector<std::size_t> groups_;  ///< which message of the file each of them is
  std::vector<double> start_;
  std::vector<Placed> outputs_;
  std::optional<BitRates> rates_;
  fmt::memory_buffer load_;  ///< in words
  bool overloaded_ = false;
  mutable std::optional<Faults> faults_;  ///< once they were asked for
};

}  // namespace hild::can
