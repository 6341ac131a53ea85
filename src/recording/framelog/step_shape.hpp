// SPDX-License-Identifier: Apache-2.0
/// \file
/// The shape of the steps of a log: its signals, and how many of everything there are. It is
/// declared to other programs as messages of Protocol Buffers, to readers as JSON beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/record.hpp"
#include "hild/core/result.hpp"
#include "hild/io/frame_record.hpp"
#include "recording/framelog/format.hpp"
#include "recording/framelog/image_rules.hpp"
#include "recording/framelog/proto.hpp"

namespace hild::framelog {

/// The signals of one kind, in the order of the record, which is that of their numbers
/// (step_field::number_of).
struct SignalGroup {
  std::vector<SignalName> signals;
  std::vector<std::string> fields;  ///< their names in messages
  /// Those that are recorded in every step; the others come with whole frames, in a message of
  /// their own.
  std::vector<bool> selected;

  [[nodiscard]] std::vector<SignalName> selection() const;
  /// The places of the selected signals, or of the others.
  [[nodiscard]] std::vector<proto::Template::Place> places(bool chosen) const;
};

struct StepShape {
  std::size_t passes = 0;
  std::size_t images = 0;
  std::size_t sampled = 0;
  std::size_t groups = 1;
  SignalGroup inputs, outputs, states, counts;
  ImageRules images_of{};  ///< how inputs are computed from images
  std::size_t runs = 0;    ///< of models; 0: none is run beside others
  std::size_t heard = 0;   ///< lines that other nodes hear of

  [[nodiscard]] io::FrameLayout layout() const;
};

[[nodiscard]] StepShape shape_of(const io::FrameLayout& layout, const Signals& signals,
                                 const ImageRules& rules, const config::Record& settings);

/// The message of a step, hild.Step, and those within it.
[[nodiscard]] proto::File step_file(const StepShape& shape);

[[nodiscard]] std::string to_json(const StepShape& shape);
/// Error: the text is not what to_json() gives, or the shape has a size that no run has.
[[nodiscard]] Result<StepShape> shape_from_json(std::string_view text);

}  // namespace hild::framelog
