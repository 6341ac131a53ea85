# SPDX-License-Identifier: Apache-2.0
# What every part is compiled with. No fused multiply-add and no -ffast-math: a replay must give
# the same bits as the run.
add_library(hild_flags INTERFACE)
target_compile_options(hild_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -ffp-contract=off
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:HILD_MAY_SHADOW>>>:-Wshadow>
  $<$<BOOL:${HILD_WERROR}>:-Werror>)
target_include_directories(hild_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
if(HILD_SANITIZE)
  target_compile_options(hild_flags INTERFACE
    -fsanitize=${HILD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hild_flags INTERFACE -fsanitize=${HILD_SANITIZE})
  if(HILD_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Boost.Asio has fences, which the sanitizer does not see.
    target_compile_options(hild_flags INTERFACE -Wno-tsan)
  endif()
  if(HILD_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With these, gcc 12 takes the address of an object for no constant, and the proofs of the
    # tableaux do not compile. AddressSanitizer finds the null pointers.
    target_compile_options(hild_flags INTERFACE
      -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute)
  endif()
endif()
