// SPDX-License-Identifier: Apache-2.0
/// \file
/// The memory that a device and its gateway share: the newest outputs, the newest two images of
/// each node, counts, and what nodes say of themselves. Its size is fixed. The gateway is not
/// trusted: hild checks what it reads there, and reads nothing back that it wrote.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "drivers/dds/two_images.hpp"
#include "hild/core/descriptor.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/doorbell.hpp"
#include "hild/rt/image_slot.hpp"
#include "hild/rt/lifeline.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::dds {

inline constexpr std::size_t most_values = 1024;  ///< that are sent, and that are received
inline constexpr std::size_t most_nodes = 32;     ///< of which a device receives, or hears
inline constexpr std::size_t words_of_node = 10;  ///< what one says of itself
inline constexpr std::size_t words_of_peer = 9;   ///< precede them: its name, whether it is here

/// What the gateway counts.
struct GatewayCounts {
  rt::Counter sent;
  rt::Counter skipped;
  rt::Counter unsent;
  rt::Counter received;
  rt::Counter lost;
  rt::Counter reordered;
  rt::Counter early;
  rt::Counter wrong_run;
  rt::Counter wrong_length;
  rt::Counter not_finite;
  rt::Counter future;
  rt::Counter unmatched;
  rt::Counter nodes_gone;
};

struct PageHead {
  rt::Doorbell written;  ///< rung once outputs were written
  rt::Lifeline life;     ///< held by the gateway
  rt::Tally numbers;     ///< given to writes, by a run and its guard
  rt::Counter left;      ///< the number that was handed to the network last
  GatewayCounts counts;
};

/// What precedes the values of an image: its number, and when it was made.
inline constexpr std::size_t stamps = 2;
/// They are words, and travel in doubles.
///@{
[[nodiscard]] inline double as_word(std::int64_t number) noexcept {
  return std::bit_cast<double>(number);
}
[[nodiscard]] inline std::int64_t as_number(double word) noexcept {
  return std::bit_cast<std::int64_t>(word);
}
///@}

class Page {
 public:
  Page() = default;
  /// Error: the system gives no memory.
  [[nodiscard]] static Result<Page> make(Descriptor& file);
  /// At the other end. Error: the file is not one.
  [[nodiscard]] static Result<Page> map(int file);

  /// How large it is.
  [[nodiscard]] static std::size_t bytes() noexcept;
  /// What it begins with.
  [[nodiscard]] PageHead& head() const noexcept { return *static_cast<PageHead*>(memory_.data()); }
  /// Of the outputs. Precondition: at most most_values.
  [[nodiscard]] rt::ImageSlot outputs(std::size_t values) const noexcept;
  /// Of each node, by how many values it has. Precondition: at most most_nodes, and of all of them
  /// at most most_values.
  [[nodiscard]] std::vector<TwoImages> images(std::span<const std::size_t> values) const;
  /// What this node says of itself.
  [[nodiscard]] rt::ImageSlot own_words() const noexcept;
  /// What others say of themselves, most_nodes of them.
  [[nodiscard]] std::vector<rt::ImageSlot> peers() const;

 private:
  explicit Page(rt::SharedMemory memory) noexcept;
  [[nodiscard]] rt::ImageSlot slot(std::size_t which, std::size_t first,
                                   std::size_t words) const noexcept;

  rt::SharedMemory memory_;
};

}  // namespace hild::dds
