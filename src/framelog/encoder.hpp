// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records into messages. Allocates nothing once the blocks have grown to their size.
#pragma once

#include "config/record.hpp"
#include "framelog/block.hpp"
#include "framelog/description.hpp"
#include "framelog/frame_table.hpp"
#include "framelog/topics.hpp"
#include "mcap/writer.hpp"

namespace hild::framelog {

/// What of a frame is wanted.
struct Wanted {
  bool whole = true;    ///< its record
  bool inputs = true;   ///< at its start, and its timing
  bool results = true;  ///< outputs and states at its end
};

class Encoder {
 public:
  Encoder(const Description& description, const io::FrameLayout& layout,
          const config::Record& settings);

  /// Introduces the streams.
  void declare(mcap::Writer& writer) const;
  void frame(const io::FrameView& record, const Wanted& wanted, Block& block);
  void gap(const Gap& gap, MonoTime at, Block& block);
  /// A transaction that took effect, as write_effect() put it.
  void change(std::string_view effect, MonoTime at, Block& block);

 private:
  /// Selected signals of one kind.
  struct Stream {
    Topic topic;
    proto::Message message;
    proto::Template empty;
    std::vector<std::size_t> from;  ///< of each field the value in the record
    std::uint32_t sequence = 0;
  };
  static Stream stream(Topic topic, const std::vector<SignalName>& signals,
                       const std::vector<bool>& selected);
  template <class Value>
  void signals(Stream& stream, std::int64_t tick, SimTime t, MonoTime at,
               std::span<const Value> values, mcap::Chunk& chunk);
  void timing(const io::FrameHeader& header, mcap::Chunk& chunk);

  ClockBase clock_;
  mcap::Schema frame_schema_;
  FrameStore store_;
  std::uint32_t frames_ = 0;
  Stream inputs_, outputs_, states_, counts_;
  proto::Message timing_message_, gap_message_;
  proto::Template timing_, gap_;
  std::uint32_t timings_ = 0;
  std::uint32_t gaps_ = 0;
  std::uint32_t changes_ = 0;
};

}  // namespace hild::framelog
