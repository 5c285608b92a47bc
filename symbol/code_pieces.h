/* code_pieces.h - pieces of a program's code, by the addresses of its file.
 *
 *     struct code_pieces pieces = {0};
 *     code_pieces_add(&pieces, 0x1190, 0x11a2);
 *     code_pieces_join(&pieces);                  by address; none of them touch
 *     code_pieces_release(&pieces);
 */
#ifndef SYMBOL_CODE_PIECES_H
#define SYMBOL_CODE_PIECES_H

#include <stddef.h>
#include <stdint.h>

struct code_piece {
    uint64_t from, until;
};

struct code_pieces {
    struct code_piece *items;
    size_t count, capacity;
};

/* An empty piece is none. */
void code_pieces_add(struct code_pieces *pieces, uint64_t from, uint64_t until);
void code_pieces_join(struct code_pieces *pieces);
void code_pieces_release(struct code_pieces *pieces);

#endif
