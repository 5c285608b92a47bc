/* Hands a document to expat in pieces of 1 KB, as a server does that reads it from a socket. */
#include <expat.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    enum { PIECE = 1024 };
    char piece[PIECE];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!file || !parser)
        return 2;
    enum XML_Status status = XML_STATUS_OK;
    while (status == XML_STATUS_OK && !feof(file)) {
        size_t length = fread(piece, 1, PIECE, file);
        status = XML_Parse(parser, piece, (int)length, feof(file) != 0);
    }
    XML_ParserFree(parser);
    fclose(file);
    return status != XML_STATUS_OK;
}
