/* Caller, base class and overriders in three files. */
#include <memory>

struct Shape {
    virtual ~Shape();
    virtual int area() const = 0;
    virtual int sides() const;
    virtual const char *name() const {VPROF_FUNCTION(2) return "shape"; }
};

std::unique_ptr<Shape> make(int side);
