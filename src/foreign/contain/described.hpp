// SPDX-License-Identifier: Apache-2.0
/// \file
/// The description of a model received from another process, together with all that its views point
/// to.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "foreign/contain/pack.hpp"
#include "hild/core/result.hpp"
#include "hild/model/description.hpp"

namespace hild::contain {

class Described {
 public:
  static void pack(const model::Description& d, Packer& to);
  /// Reads a description. Error: it breaks off, or is not one that a model may have
  /// (plugin::check_description).
  [[nodiscard]] static Result<std::unique_ptr<const Described>> unpack(Unpacker& from);

  [[nodiscard]] const model::Description& description() const noexcept { return description_; }

 private:
  Described() = default;
  template <class Wire>
  void fields(Wire& wire);
  template <class Wire>
  void structure(Wire& wire);

  std::deque<std::string> texts_;
  std::vector<model::State> states_;
  std::vector<model::Input> inputs_;
  std::vector<model::Output> outputs_;
  std::vector<model::Parameter> parameters_;
  std::vector<model::Event> events_;
  std::deque<std::vector<std::string_view>> names_;  // of the states of partitions
  std::vector<model::Algebraic> algebraic_;
  std::vector<model::Partition> partitions_;
  std::vector<model::Feedthrough> feedthrough_;
  numerics::Pattern pattern_;  // of the structure, where that has one
  model::Description description_;
};

}  // namespace hild::contain
