// SPDX-License-Identifier: Apache-2.0
/// Registers two.
#include "hild/io/device.hpp"

namespace {

std::unique_ptr<hild::io::Device> none(std::string_view, hild::io::Options&) { return nullptr; }

HILD_DRIVER(one, "", none);
HILD_DRIVER(other, "", none);

}  // namespace
