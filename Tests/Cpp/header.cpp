#include <immutabledata.hpp>

// Every member of the templates, also those that no test uses.
template class immutabledata::result<immutabledata::value>;
template class immutabledata::range<true>;
template class immutabledata::range<false>;
