# Writes a C file with a function that returns the text of a file:
#
#     cmake -D INPUT=FILE -D OUTPUT=FILE -D FUNCTION=NAME -P embed.cmake
file(READ "${INPUT}" hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n"
  bytes "${bytes}")
file(WRITE "${OUTPUT}"
  "#include \"immutabledata_postgresql.h\"\n\n"
  "const char *${FUNCTION}(void) {\n"
  "  static const char text[] = {\n${bytes}0};\n"
  "  return text;\n}\n")
