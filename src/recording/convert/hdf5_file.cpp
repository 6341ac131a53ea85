// SPDX-License-Identifier: Apache-2.0
#include "recording/convert/hdf5_file.hpp"

#include <type_traits>
#include <utility>

namespace hild::convert {
namespace {

/// The innermost reason the library gives.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
        if (error->desc != nullptr && *error->desc != '\0') {
          *static_cast<std::string*>(to) = error->desc;
        }
        return 0;
      },
      &text);
  return text;
}

template <class Number>
hid_t type_of() {
  return std::is_same_v<Number, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
}

template <class Number>
hid_t create_dataset(const Hdf5Handle& group, const std::string& name, hsize_t block) {
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose, "a data space");
  const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "a property list");
  check(H5Pset_chunk(how.id(), 1, &block), "set a chunk's size");
  return H5Dcreate2(group.id(), name.c_str(), type_of<Number>(), space.id(), H5P_DEFAULT, how.id(),
                    H5P_DEFAULT);
}

}  // namespace

Hdf5Handle::Hdf5Handle(hid_t id, Close close, std::string_view what) : id_(id), close_(close) {
  if (id_ < 0)
    throw Hdf5Error{{fmt::format("cannot make {}: {}", what, reason()), ExitCode::fault}};
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Hdf5Handle::~Hdf5Handle() {
  if (id_ >= 0) close_(id_);
}

void check(herr_t status, std::string_view what) {
  if (status < 0) throw Hdf5Error{{fmt::format("cannot {}: {}", what, reason()), ExitCode::fault}};
}

void add_attribute(const Hdf5Handle& to, const std::string& name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "a type");
  check(H5Tset_size(type.id(), text.empty() ? 1 : text.size()), "set a text's size");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "set a text's encoding");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "set a text's padding");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "a data space");
  const Hdf5Handle attribute(
      H5Acreate2(to.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      fmt::format("the attribute {}", name));
  check(H5Awrite(attribute.id(), type.id(), text.c_str()), "write an attribute");
}

template <class Number>
Hdf5Column<Number>::Hdf5Column(const Hdf5Handle& group, const std::string& name)
    : dataset_(create_dataset<Number>(group, name, block_size), H5Dclose,
               fmt::format("the dataset {}", name)) {
  block_.reserve(block_size);
}

template <class Number>
void Hdf5Column<Number>::flush() {
  if (block_.empty()) return;
  const hsize_t count = block_.size();
  const hsize_t rows = rows_ + count;
  check(H5Dset_extent(dataset_.id(), &rows), "extend a dataset");
  const Hdf5Handle file(H5Dget_space(dataset_.id()), H5Sclose, "a data space");
  check(H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, &rows_, nullptr, &count, nullptr),
        "select rows");
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "a data space");
  check(H5Dwrite(dataset_.id(), type_of<Number>(), memory.id(), file.id(), H5P_DEFAULT,
                 block_.data()),
        "write rows");
  rows_ = rows;
  block_.clear();
}

template class Hdf5Column<double>;
template class Hdf5Column<std::int64_t>;

Hdf5Handle create_hdf5(const std::string& file) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // reason() asks for them
  return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
          fmt::format("the file {}", file)};
}

Hdf5Handle create_group(const Hdf5Handle& in, const std::string& name) {
  return {H5Gcreate2(in.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          fmt::format("the group {}", name)};
}

}  // namespace hild::convert
