# SPDX-License-Identifier: Apache-2.0
# Files into a program: hild_assets(TARGET FOLDER folder... HEADER file NAMESPACE name) compiles all files
# of the folders, whose names below them become paths, into the assets() that the header declares in the
# namespace, with its Asset. As a script (cmake -P) this file writes the source.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(hild_assets target)
    cmake_parse_arguments(A "" "HEADER;NAMESPACE" "FOLDER" ${ARGN})
    set(files)
    foreach(folder ${A_FOLDER})
      file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*)
      list(APPEND files ${found})
    endforeach()
    set(source ${CMAKE_CURRENT_BINARY_DIR}/assets/${target}.cpp)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} "-DFOLDERS=${A_FOLDER}" -DSOURCE=${source} -DHEADER=${A_HEADER}
              -DNAMESPACE=${A_NAMESPACE}
              -P ${PROJECT_SOURCE_DIR}/.cmake/assets.cmake
      DEPENDS ${files} ${PROJECT_SOURCE_DIR}/.cmake/assets.cmake
      COMMENT "Writing ${source}"
      VERBATIM)
    set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # long, and includes nothing
    target_sources(${target} PRIVATE ${source})
  endfunction()
  return()
endif()

set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_mjs "${type_js}")
set(type_json "application/json")
set(type_webmanifest "application/manifest+json")
set(type_svg "image/svg+xml")
set(type_png "image/png")
set(type_ico "image/x-icon")
set(type_woff2 "font/woff2")
set(type_txt "text/plain; charset=utf-8")
set(type_in "${type_txt}")

set(arrays "")
set(table "")
set(n 0)
foreach(folder ${FOLDERS})
  file(GLOB_RECURSE files RELATIVE ${folder} ${folder}/*)
  list(SORT files)
  foreach(name ${files})
    cmake_path(GET name EXTENSION LAST_ONLY extension)
    string(REPLACE "." "" extension "${extension}")
    if(NOT DEFINED type_${extension})
      message(FATAL_ERROR "${folder}/${name}: .cmake/assets.cmake knows no content type for it")
    endif()
    file(READ ${folder}/${name} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    set(path "/${name}")
    if(name STREQUAL "index.html")
      set(path "/")
    endif()
    # One byte more, as an array may not be empty.
    string(APPEND arrays "const unsigned char file_${n}[] = {\n${bytes}0};\n")
    string(APPEND table "      {\"${path}\", \"${type_${extension}}\", text(file_${n})},\n")
    math(EXPR n "${n} + 1")
  endforeach()
endforeach()

file(WRITE ${SOURCE} "// Written by .cmake/assets.cmake.
#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {

${arrays}
template <std::size_t n>
std::string_view text(const unsigned char (&bytes)[n]) {
  return {reinterpret_cast<const char*>(bytes), n - 1};
}

}  // namespace

std::span<const Asset> assets() {
  static const Asset all[] = {
${table}  };
  return all;
}

}  // namespace ${NAMESPACE}
")
