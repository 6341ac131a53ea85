// SPDX-License-Identifier: Apache-2.0
/// \file
/// Saves and loads a change by the fields it shows (field.hpp). What was loaded is to be checked as
/// one that was asked for (change_check.hpp). A table is not among the fields: it is somebody
/// else's. Real-time safe.
#pragma once

#include <array>

#include "exec/field.hpp"
#include "hild/core/archive.hpp"

namespace hild::exec {

/// The visitor.
class ChangeTransfer {
 public:
  explicit ChangeTransfer(Archive& archive) noexcept : archive_(archive) {}

  [[nodiscard]] static constexpr bool has(bool /*belongs*/) noexcept { return true; }
  void target(const Field& /*f*/, Target /*t*/, std::uint32_t& index) noexcept { archive_(index); }
  void signal(const Field& f, Side& side, std::uint32_t& index) noexcept {
    archive_.choice(side, Side::output, "the side of a signal");
    target(f, Target::input, index);
  }
  void setting(const Field& /*f*/, Target /*t*/, std::uint32_t& index, double& value) noexcept {
    archive_(index, value);
  }
  template <class E, std::size_t n>
  void choice(const Field& /*f*/, E& value, const std::array<Word, n>& /*words*/,
              E /*otherwise*/ = {}) noexcept {
    archive_.choice(value, static_cast<E>(n - 1), "a choice of a change");
  }
  void number(const Field& /*f*/, double& value, const Quantity& /*q*/) noexcept {
    archive_(value);
  }
  template <class Table>
  void scaled(const Field& /*f*/, double& amplitude, const Field& /*of*/,
              Table& /*table*/) noexcept {
    archive_(amplitude);
  }
  template <class T>
  void whole(const Field& /*f*/, T& value, const Whole& /*w*/) noexcept {
    archive_(value);
  }
  void flag(const Field& /*f*/, bool& value) noexcept { archive_(value); }
  void time(const Field& /*f*/, Duration& value, bool /*required*/) noexcept { archive_(value); }
  void frames(const Field& /*f*/, std::int64_t& value) noexcept { archive_(value); }
  template <class C>
  void part() noexcept {}

 private:
  Archive& archive_;
};

template <class C>
void transfer_fields(Archive& archive, C& change) noexcept {
  ChangeTransfer transfer(archive);
  C::fields(transfer, change);
}

}  // namespace hild::exec
