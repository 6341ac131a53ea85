// SPDX-License-Identifier: Apache-2.0
/// Calls what nobody has.
extern "C" int nobody_has_this();
extern "C" int hild_model_plugin() { return nobody_has_this(); }
