# SPDX-License-Identifier: Apache-2.0
# This script runs at installation. It writes the manual pages and the completion of `program`, which the program prints, below PREFIX/share.
get_filename_component(name ${program} NAME)

# print(FILE ARGUMENT…): writes the page that the program prints, in English.
function(print file)
  get_filename_component(folder ${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8 LANGUAGE= SEPX_LANGUAGE=en ${emulator} ${program} ${ARGN}
    OUTPUT_FILE ${file} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program} ${ARGN} ended with status ${status}; cross builds need CMAKE_CROSSCOMPILING_EMULATOR")
  endif()
endfunction()

set(root ${scratch}/${name})
file(REMOVE_RECURSE ${root})
print(${root}/man/man1/${name}.1 --print-page man)
print(${root}/verbs --print-page verbs)
file(STRINGS ${root}/verbs verbs)
foreach(verb ${verbs})
  print(${root}/man/man1/${name}-${verb}.1 ${verb} --print-page man)
endforeach()
file(GLOB pages ${root}/man/man1/*.1)
execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
print(${root}/bash-completion/completions/${name} --print-page bash)
print(${root}/zsh/site-functions/_${name} --print-page zsh)
print(${root}/fish/vendor_completions.d/${name}.fish --print-page fish)
set(zsh zsh/site-functions)
if(CMAKE_INSTALL_PREFIX MATCHES "/usr$")
  set(zsh zsh/vendor-completions)  # the folder for packages in Debian
endif()
file(GLOB pages ${root}/man/man1/*)
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/man/man1" TYPE FILE FILES ${pages})
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/bash-completion/completions" TYPE FILE FILES ${root}/bash-completion/completions/${name})
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/${zsh}" TYPE FILE FILES ${root}/zsh/site-functions/_${name})
file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${share}/fish/vendor_completions.d" TYPE FILE FILES ${root}/fish/vendor_completions.d/${name}.fish)
