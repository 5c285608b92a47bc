/* point_name.h - which function of a file a user means.
 *
 *     point_name_find(&object, "Pool::run", &function, &error)
 *
 *     "serve"                       of C
 *     "Pool::run", "Pool::run(int)" of C++, by its readable name, without or with parameters
 *     "_ZN4Pool3runEi"              by the linker's
 *     "0x1230"                      by its address in the file
 *
 * What a compiler made of a function for its callers ("serve.constprop.0") counts as the function, where
 * that itself is not there. Parts that were split off ("serve.cold") do not.
 */
#ifndef SAMPLER_POINT_NAME_H
#define SAMPLER_POINT_NAME_H

#include "sampler/point_object.h"

/* ERROR_USAGE: there is none of the name, and the error says which are near, or several, which it lists.
 * What is found has the object's texts. */
bool point_name_find(const struct point_object *object, const char *name,
                     struct object_function *found, struct error *error);

#endif
