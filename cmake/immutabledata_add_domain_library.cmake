# Defines immutabledata_add_domain_library, which builds a shared library with the functions of
# immutabledata.h and the domains of a Swift package.
#
#   immutabledata_add_domain_library(NAME
#     [PACKAGE folder]         of the Swift package; by default the current source folder
#     [PRODUCT product]        its dynamic library product; by default NAME
#     [VERSION version]        of the file: libNAME.so.VERSION
#     [SOVERSION version]      of the SONAME: libNAME.so.SOVERSION
#     [OPTIONS option...])     options of "swift build"
#
# It defines the target NAME, which is also NAME::NAME, to link C and C++ programs with, and the
# target NAME_library, which builds libNAME.so in the current binary folder. The build has the
# configuration debug if CMAKE_BUILD_TYPE is Debug, and release otherwise. It keeps its symbols if
# CMAKE_BUILD_TYPE is RelWithDebInfo.
#
# The variable IMD_SCRATCH sets the build folder of Swift. Libraries with the same folder and
# configuration share compiled modules.
#
# The package finds the Swift package "immutabledata" by the environment variable
# IMMUTABLEDATA_PACKAGE, which has its folder.

include_guard(GLOBAL)

function(immutabledata_add_domain_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;PRODUCT;VERSION;SOVERSION" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "immutabledata_add_domain_library: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  find_program(SWIFT_EXECUTABLE swift REQUIRED DOC "swift, of Swift 6.3 or later")

  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH immutabledata)
  set(package "${CMAKE_CURRENT_SOURCE_DIR}")
  set(product ${name})
  set(scratch "${CMAKE_CURRENT_BINARY_DIR}/.build")
  if(arg_PACKAGE)
    cmake_path(ABSOLUTE_PATH arg_PACKAGE NORMALIZE OUTPUT_VARIABLE package)
  endif()
  if(arg_PRODUCT)
    set(product ${arg_PRODUCT})
  endif()

  cmake_path(GET package FILENAME package_folder)
  cmake_path(GET immutabledata FILENAME immutabledata_folder)
  if(package_folder STREQUAL immutabledata_folder
      AND NOT package STREQUAL "${immutabledata}")
    message(FATAL_ERROR
      "immutabledata_add_domain_library: the package ${package} and immutabledata, "
      "${immutabledata}, are in folders of one name. Swift's package manager names both packages "
      "after their folders, and takes them for one. Rename the folder of the package.")
  endif()
  if(EXISTS "${package}/Package.swift")
    file(READ "${package}/Package.swift" manifest)
    if(NOT manifest MATCHES "\"${product}\"")
      message(FATAL_ERROR
        "immutabledata_add_domain_library: ${package}/Package.swift has no product \"${product}\". "
        "Add .library(name: \"${product}\", type: .dynamic, targets: [...]), or pass the name of its "
        "dynamic library as PRODUCT.")
    endif()
  else()
    message(FATAL_ERROR
      "immutabledata_add_domain_library: there is no ${package}/Package.swift. Pass the folder of the "
      "Swift package as PACKAGE.")
  endif()

  set(link_name lib${name}.so)
  set(file ${link_name})
  set(soname ${link_name})
  if(arg_VERSION)
    string(APPEND file .${arg_VERSION})
  endif()
  if(arg_SOVERSION)
    string(APPEND soname .${arg_SOVERSION})
  endif()
  set(library "${CMAKE_CURRENT_BINARY_DIR}/${file}")

  # What a Swift package cannot express: link the Swift runtime statically, set the SONAME, export
  # only imd_*, and bind calls of these functions inside the library to its own. "nodelete" prevents
  # unloading, because the Swift runtime and fork handlers cannot be unloaded. "gc-sections" leaves
  # out unused functions, and "icf" keeps one of several with the same code: the two options of the
  # frontend let them do so with each function, also if it is public. "wrap" leaves out the names
  # of characters.
  set(options
    -Xswiftc -static-stdlib
    -Xswiftc -enforce-exclusivity=unchecked
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    -Xswiftc -Xfrontend -Xswiftc -internalize-at-link
    -Xswiftc -no-toolchain-stdlib-rpath
    -Xswiftc -use-ld=lld
    -Xlinker -soname=${soname}
    -Xlinker --version-script=${immutabledata}/cmake/immutabledata.map
    -Xlinker -Bsymbolic
    -Xlinker -z -Xlinker nodelete
    -Xlinker --gc-sections
    -Xlinker --icf=all
    -Xlinker --wrap=_swift_stdlib_getScalarName)
  if(NOT "${arg_OPTIONS}" MATCHES "--sanitize")
    # The program, not the library, links the runtime of a sanitizer.
    list(APPEND options -Xlinker --no-undefined)
  endif()
  set(configuration release)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(configuration debug)
  elseif(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    # Names of functions, without the debug information, which not every valgrind can read.
    list(APPEND options -Xlinker --strip-debug)
  else()
    list(APPEND options -Xlinker --strip-all)
  endif()
  if(IMD_SCRATCH)
    set(scratch "${IMD_SCRATCH}")
  endif()
  # The build manifest in the folder can be that of another package, and lacks the files that were
  # added to a package on which this one depends.
  list(APPEND options --disable-build-manifest-caching)

  if(NOT TARGET immutabledata_replacements)
    add_library(immutabledata_replacements OBJECT "${immutabledata}/cmake/replacements.c")
    set_target_properties(immutabledata_replacements PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()

  set(links)
  foreach(link IN ITEMS ${soname} ${link_name})
    if(NOT "${link}" STREQUAL "${file}")
      list(APPEND links COMMAND ${CMAKE_COMMAND} -E create_symlink
        ${file} "${CMAKE_CURRENT_BINARY_DIR}/${link}")
    endif()
  endforeach()

  # The package manager tracks the dependencies. It compiles C with CC, which scikit-build-core sets
  # to gcc, but passes options of clang.
  add_custom_target(${name}_library ALL
    COMMAND ${CMAKE_COMMAND} -E env --unset=CC --unset=CXX "IMMUTABLEDATA_PACKAGE=${immutabledata}"
      ${SWIFT_EXECUTABLE} build
      --package-path "${package}"
      --scratch-path "${scratch}"
      --configuration ${configuration}
      --product ${product}
      ${options}
      -Xlinker $<TARGET_OBJECTS:immutabledata_replacements>
      ${arg_OPTIONS}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different
      "${scratch}/${configuration}/lib${product}.so" "${library}"
    ${links}
    BYPRODUCTS "${library}"
    USES_TERMINAL
    VERBATIM)
  add_dependencies(${name}_library immutabledata_replacements)

  add_library(${name} SHARED IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${library}"
    IMPORTED_SONAME ${soname}
    INTERFACE_INCLUDE_DIRECTORIES "${immutabledata}/include")
  add_dependencies(${name} ${name}_library)
  add_library(${name}::${name} ALIAS ${name})
endfunction()
