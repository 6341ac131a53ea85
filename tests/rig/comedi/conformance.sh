# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# What every driver owes, of the driver of cards, on a card that can be detached. The last of the scripts: it leaves
# the card as it comes.
check_run "the driver keeps what every driver owes" 0 conformance.txt \
  env HILD_TEST_CARD=1 test_drivers --gtest_filter='ComediAnalog/*:ComediSampled/*'
check_says "none was left out" 'PASSED.* 24 tests' conformance.txt
