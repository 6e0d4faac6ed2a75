/* Finds functions of the libraries that this one needs, and no functions of the program that happen
 * to have their names: the dynamic linker would bind calls to these, because the symbols of a program
 * come first. */
#ifndef CBOUNDFUNCTIONS_H
#define CBOUNDFUNCTIONS_H

/* Returns the function with a name in the libraries that this one needs; otherwise linked, to which
 * the dynamic linker has bound the name. */
void *bound_function(const char *name, void *linked);

#endif
