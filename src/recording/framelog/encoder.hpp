// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records into messages. Allocates nothing once the blocks have grown to their size.
#pragma once

#include "recording/framelog/block.hpp"
#include "recording/framelog/description.hpp"
#include "recording/framelog/gap.hpp"
#include "recording/framelog/keyframe.hpp"
#include "recording/framelog/step_shape.hpp"
#include "recording/mcap/writer.hpp"

namespace hild::framelog {

/// What of a step is wanted.
struct Wanted {
  bool whole = true;    ///< all there is, enough to run it again; else in brief:
  bool inputs = true;   ///< at its start, and its timing
  bool results = true;  ///< outputs and states at its end
};

class Encoder {
 public:
  Encoder(const Description& description, const io::FrameLayout& layout,
          const config::Record& settings);

  /// Introduces the streams.
  void declare(mcap::Writer& writer) const;
  void step(const io::FrameView& record, const Wanted& wanted, Block& block);
  void gap(const Gap& gap, MonoTime at, Block& block);
  /// A transaction that took effect, as write_effect() put it, and its number.
  void change(std::string_view effect, std::int64_t number, MonoTime at, Block& block);
  void keyframe(const exec::KeyframeView& keyframe, Block& block);

 private:
  /// Signals as a field of one of the messages: those selected, and those that only whole steps
  /// have.
  struct Group {
    Group(const SignalGroup& of, proto::Type type, std::uint32_t number, std::uint32_t other)
        : selected(number, type, of.places(true)), others(other, type, of.places(false)) {}
    proto::Template selected, others;
    template <class Value>
    void append(std::string& to, const Value* values, bool whole) const {
      selected.append(to, values);
      if (whole) others.append(to, values);
    }
  };
  void header(const io::FrameHeader& h, bool identity);
  void image(const io::FrameView& record, std::size_t image, bool whole);
  [[nodiscard]] bool follow(const io::FrameView& record, const Wanted& wanted, const Block& block);
  void predict(const io::FrameView& record, std::size_t passes, std::size_t images);
  void pass(const io::FrameView& record, std::size_t pass, std::size_t images);
  void phases(const io::FrameHeader& h);
  void runs(const io::FrameView& record);
  void writes(const io::FrameView& record);
  void exceptions(const io::FrameHeader& h, std::size_t passes, std::size_t images);
  void put(Topic topic, std::string_view message, MonoTime at, mcap::Chunk& chunk,
           std::uint32_t sequence = 0) const;

  ClockBase clock_;
  StepShape shape_;
  io::FrameLayout layout_;
  Group states_, outputs_;
  proto::Template inputs_;
  Group pass_inputs_, image_inputs_, image_counts_;
  InputPrediction prediction_;
  std::vector<bool> predicted_;  ///< of each pass: its inputs follow from the images
  std::string message_, part_;   ///< being made
};

}  // namespace hild::framelog
