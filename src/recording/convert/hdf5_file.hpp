// SPDX-License-Identifier: Apache-2.0
/// \file
/// The part of HDF5 that an export needs: groups of columns that grow, and attributes.
#pragma once

#include <hdf5.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::convert {

/// The exception that ends an export; its message says what the library could not do.
struct Hdf5Error {
  Error error;
};

/// Owns an object of the library, which the destructor closes.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Hdf5Error, its message naming `what`, when `id` is not valid.
  Hdf5Handle(hid_t id, Close close, std::string_view what);
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle();
  [[nodiscard]] hid_t id() const noexcept { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Throws Hdf5Error, its message naming `what`, when `status` is a failure.
void check(herr_t status, std::string_view what);

void add_attribute(const Hdf5Handle& to, const std::string& name, const std::string& text);

/// A one-dimensional dataset that grows; values are written in blocks.
template <class Number>
class Hdf5Column {
 public:
  Hdf5Column(const Hdf5Handle& group, const std::string& name);
  void add(Number value) {
    block_.push_back(value);
    if (block_.size() == block_size) flush();
  }
  void flush();
  [[nodiscard]] const Hdf5Handle& dataset() const noexcept { return dataset_; }

 private:
  static constexpr std::size_t block_size = 8192;
  Hdf5Handle dataset_;
  std::vector<Number> block_;
  hsize_t rows_ = 0;
};
extern template class Hdf5Column<double>;
extern template class Hdf5Column<std::int64_t>;

[[nodiscard]] Hdf5Handle create_hdf5(const std::string& file);
[[nodiscard]] Hdf5Handle create_group(const Hdf5Handle& in, const std::string& name);

}  // namespace hild::convert
