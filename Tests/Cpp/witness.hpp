/* Shows when a callback is destroyed: a lambda captures an instance. */
#ifndef WITNESS_HPP
#define WITNESS_HPP

#include <atomic>
#include <utility>

/* Counts the instances that have not been moved from. */
class witness {
 public:
  static inline std::atomic<int> count{0};

  witness() { count++; }
  witness(const witness &other) : counts_(other.counts_) { count += counts_; }
  witness(witness &&other) noexcept : counts_(std::exchange(other.counts_, false)) {}
  ~witness() { count -= counts_; }

 private:
  bool counts_ = true;
};

#endif
