# The Debian packages that cpack builds: one to run programs, one to build them, and one with the
# command imd and the Python package.

set(IMD_RUNTIME_PACKAGE libimmutabledata${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(IMD_DEVELOPMENT_PACKAGE libimmutabledata-dev)

set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATADIR}/doc/${IMD_DEVELOPMENT_PACKAGE})
install(FILES cmake/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${IMD_RUNTIME_PACKAGE} COMPONENT runtime)
install(FILES cmake/copyright CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(IMD_SHELL_PACKAGE imd)
install(FILES cmake/copyright
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${IMD_SHELL_PACKAGE} COMPONENT shell)
install(PROGRAMS cmake/debian/imd DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT shell)
set(IMD_PYTHON_DIR lib/python3/dist-packages)
install(DIRECTORY bindings/python/src/immutabledata
  DESTINATION ${IMD_PYTHON_DIR} COMPONENT shell
  PATTERN __pycache__ EXCLUDE)
immutabledata_install_python_extension(${IMD_PYTHON_DIR}/immutabledata shell)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/METADATA
"Metadata-Version: 2.1
Name: immutabledata
Version: ${PROJECT_VERSION}
Summary: ${PROJECT_DESCRIPTION}
Requires-Python: >=3.9
")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/METADATA
  DESTINATION ${IMD_PYTHON_DIR}/immutabledata-${PROJECT_VERSION}.dist-info COMPONENT shell)

# imd writes its own completions.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(IMD_COMPLETION_COMMANDS)
foreach(file IN ITEMS
    bash-completion/completions/imd zsh/vendor-completions/_imd fish/vendor_completions.d/imd.fish)
  string(REGEX MATCH "^[a-z]+" shell ${file})
  cmake_path(GET file PARENT_PATH folder)
  list(APPEND IMD_COMPLETION_COMMANDS
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 IMMUTABLEDATA_LIBRARY=${IMD_LIBRARY}
      PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/bindings/python/src
      ${Python3_EXECUTABLE} -m immutabledata completion ${shell} > ${file})
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT shell)
endforeach()
add_custom_target(shell_files ALL
  ${IMD_COMPLETION_COMMANDS}
  COMMAND gzip --best --no-name --stdout ${CMAKE_CURRENT_SOURCE_DIR}/docs/imd.1 > imd.1.gz
  VERBATIM)
add_dependencies(shell_files immutabledata_library)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/imd.1.gz
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT shell)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime development shell)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_CONTACT "The immutabledata maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "application-state engine with a C ABI")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${IMD_HOMEPAGE}")
# Package checkers reject folders that the group can write.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_installed_size.cmake)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${IMD_RUNTIME_PACKAGE})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "An application-state engine for C, C++, Python and Swift: Redux's one-way data
flow over immutable values. This package is what programs need at run time.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${IMD_DEVELOPMENT_PACKAGE})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${IMD_RUNTIME_PACKAGE} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libjansson-dev, libsqlite3-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "An application-state engine for C, C++, Python and Swift: Redux's one-way data
flow over immutable values. This package has the headers, the files for
pkg-config and CMake, the Swift sources for libraries with domains of their
own, examples, and suppressions for valgrind.")

set(CPACK_DEBIAN_SHELL_PACKAGE_NAME ${IMD_SHELL_PACKAGE})
set(CPACK_DEBIAN_SHELL_PACKAGE_SECTION utils)
if(TARGET python_extension)
  set(CPACK_DEBIAN_SHELL_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_SHELL_PACKAGE_ARCHITECTURE all)
endif()
set(CPACK_DEBIAN_SHELL_PACKAGE_DEPENDS "${IMD_RUNTIME_PACKAGE} (>= ${PROJECT_VERSION}), \
python3:any (>= 3.9), python3-prompt-toolkit (>= 3.0.36), python3-rich (>= 13.3.1)")
set(CPACK_DEBIAN_SHELL_PACKAGE_PROVIDES "python3-immutabledata (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SHELL_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/postinst ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
set(CPACK_COMPONENT_SHELL_DESCRIPTION "An application-state engine for C, C++, Python and Swift: Redux's one-way data
flow over immutable values. This package has its command and shell, imd, and
the Python package immutabledata.")

include(CPack)
