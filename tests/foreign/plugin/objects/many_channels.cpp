// SPDX-License-Identifier: Apache-2.0
/// A model of 2500 inputs and 2500 outputs.
#include "support/grown.hpp"

namespace {
using ManyChannels = hild::test::Grown<hild::test::Sizes{.channels = 2500}>;
HILD_MODEL(ManyChannels);
}  // namespace
