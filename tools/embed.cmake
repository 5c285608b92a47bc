# Writes a C file that holds a text file as a char array with a zero byte at its end.
#   cmake -DINPUT=report.css -DOUTPUT=report_css.c -DNAME=report_css -P embed.cmake
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){16})" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}"
     "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
