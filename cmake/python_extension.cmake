# Builds the C extension of the Python package, if the headers of Python 3.10 or later are installed.
# Without it, the package uses ctypes for everything.

find_package(Python3 3.10 QUIET COMPONENTS Interpreter Development.Module)

if(Python3_Development.Module_FOUND)
  file(GLOB sources CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/bindings/python/extension/*.c)
  add_library(python_extension MODULE ${sources})
  # It calls the library that the package has loaded, and links none itself.
  target_include_directories(python_extension PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR}/include ${Python3_INCLUDE_DIRS})
  target_link_libraries(python_extension PRIVATE ${CMAKE_DL_LIBS})
  target_compile_options(python_extension PRIVATE -Wall)
  target_link_options(python_extension PRIVATE $<$<CONFIG:Release>:-s>)
  set_target_properties(python_extension PROPERTIES
    OUTPUT_NAME _imd
    PREFIX ""
    SUFFIX .abi3.so
    C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/immutabledata")
else()
  message(WARNING "The headers of Python 3.10 or later are missing (Debian: python3-dev): the \
Python package is built without its extension, and uses ctypes.")
endif()

function(immutabledata_install_python_extension folder component)
  if(TARGET python_extension)
    install(TARGETS python_extension DESTINATION ${folder} COMPONENT ${component})
  endif()
endfunction()
