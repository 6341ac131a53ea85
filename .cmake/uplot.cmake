# SPDX-License-Identifier: Apache-2.0
# uPlot draws the plots of the live page. npm fetches it, its checksum must be this one, and it stays
# in the build folder with its licence.
set(uplot_package uplot-1.6.32)
set(uplot_sha512 2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023)
set(HILD_UPLOT "" CACHE FILEPATH "The file ${uplot_package}.tgz, where npm cannot fetch it")

set(uplot_folder ${CMAKE_BINARY_DIR}/uplot)
set(uplot_file ${uplot_folder}/${uplot_package}.tgz)
set(uplot_served ${uplot_folder}/served)  # a folder of what the page asks for, and the licence

function(hild_fetch_uplot)
  string(REPLACE "-" "@" name ${uplot_package})
  set(advice "Where there is a network, \"npm pack ${name}\" fetches it. Then configure with\n"
    "  cmake --preset default -DHILD_UPLOT=/path/to/${uplot_package}.tgz")
  file(MAKE_DIRECTORY ${uplot_folder})
  if(HILD_UPLOT)
    if(NOT EXISTS ${HILD_UPLOT})
      message(FATAL_ERROR "HILD_UPLOT: there is no file ${HILD_UPLOT}\n" ${advice})
    endif()
    file(COPY_FILE ${HILD_UPLOT} ${uplot_file})
  elseif(NOT EXISTS ${uplot_file})
    find_program(HILD_NPM npm)
    if(NOT HILD_NPM)
      message(FATAL_ERROR "npm, which fetches uPlot for the live page, is not installed; "
        "`make deps` installs it.\n" ${advice})
    endif()
    message(STATUS "Fetching ${name} with npm")
    execute_process(
      COMMAND ${HILD_NPM} pack ${name} --pack-destination ${uplot_folder} --prefer-offline
        --fetch-retries 2 --fetch-retry-mintimeout 1000 --fetch-retry-maxtimeout 5000 --loglevel error
      WORKING_DIRECTORY ${uplot_folder}
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE words TIMEOUT 300)
    if(NOT EXISTS ${uplot_file})
      string(REGEX MATCH "(FetchError|network|code)[^\n]*" reason "${words}")
      message(FATAL_ERROR "npm could not fetch ${name}, which the live page needs: "
        "${reason} (${status})\n" ${advice})
    endif()
  endif()

  file(SHA512 ${uplot_file} found)
  if(NOT found STREQUAL uplot_sha512)
    file(REMOVE ${uplot_file})
    message(FATAL_ERROR "${uplot_package}.tgz is not the file it should be.\n"
      "  SHA-512 expected: ${uplot_sha512}\n  SHA-512 found:    ${found}\n" ${advice})
  endif()
  file(ARCHIVE_EXTRACT INPUT ${uplot_file} DESTINATION ${uplot_folder})
  file(MAKE_DIRECTORY ${uplot_served})
  file(COPY ${uplot_folder}/package/dist/uPlot.iife.min.js ${uplot_folder}/package/dist/uPlot.min.css
    DESTINATION ${uplot_served})
  file(COPY_FILE ${uplot_folder}/package/LICENSE ${uplot_served}/uPlot.LICENSE.txt ONLY_IF_DIFFERENT)
endfunction()
hild_fetch_uplot()
