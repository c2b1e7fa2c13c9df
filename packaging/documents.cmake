# SPDX-License-Identifier: Apache-2.0
# This script runs at installation. It writes share/doc and share/lintian of the package `name`: the licence, the change log, the notices of
# third-party code that is compiled into the programs, and the lintian overrides.
set(sources ${CMAKE_CURRENT_LIST_DIR})
set(root ${scratch}/${name})
file(REMOVE_RECURSE ${root})
file(MAKE_DIRECTORY ${root})
file(COPY_FILE ${sources}/debian/copyright ${root}/copyright)
file(COPY_FILE ${sources}/debian/changelog ${root}/changelog.Debian)
set(documents ${root}/copyright ${root}/changelog.Debian.gz)
set(texts ${root}/changelog.Debian)
if(NOT name STREQUAL "separatrix-data")
  # The command fails if a licence is missing.
  execute_process(COMMAND ${sources}/notices compiled OUTPUT_FILE ${root}/THIRD-PARTY-NOTICES COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND texts ${root}/THIRD-PARTY-NOTICES)
  list(APPEND documents ${root}/THIRD-PARTY-NOTICES.gz)
endif()
execute_process(COMMAND gzip -9nf ${texts} COMMAND_ERROR_IS_FATAL ANY)
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/doc/${name}" TYPE FILE FILES ${documents})
if(EXISTS ${sources}/debian/${name}.lintian-overrides)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/lintian/overrides" TYPE FILE
    FILES ${sources}/debian/${name}.lintian-overrides RENAME ${name})
endif()
