# Run by cpack after it has built the Debian packages. CPack counts a symbolic link as the file that
# it points to, so Installed-Size was twice the size of the library. It becomes what dpkg-gencontrol
# writes: the sizes of all files in KiB, each rounded up, and 1 for each folder or link.

cmake_minimum_required(VERSION 3.22)

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/installed-size)
  file(REMOVE_RECURSE ${folder})
  execute_process(COMMAND dpkg-deb --raw-extract ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE paths LIST_DIRECTORIES true RELATIVE ${folder} ${folder}/*)
  list(FILTER paths EXCLUDE REGEX "^DEBIAN(/|$)")
  set(kibibytes 0)
  foreach(path IN LISTS paths)
    if(IS_SYMLINK ${folder}/${path} OR IS_DIRECTORY ${folder}/${path})
      math(EXPR kibibytes "${kibibytes} + 1")
    else()
      file(SIZE ${folder}/${path} size)
      math(EXPR kibibytes "${kibibytes} + (${size} + 1023) / 1024")
    endif()
  endforeach()
  file(READ ${folder}/DEBIAN/control control)
  string(REGEX REPLACE "(^|\n)Installed-Size: [0-9]+" "\\1Installed-Size: ${kibibytes}"
    control "${control}")
  file(WRITE ${folder}/DEBIAN/control "${control}")
  execute_process(COMMAND dpkg-deb --root-owner-group -Zgzip --build ${folder} ${package}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
endforeach()
