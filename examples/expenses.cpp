/* Shared expenses: who paid how much, and who owes how much.
 *
 *     expenses < expenses.txt
 *
 * Each line of the input is "NAME AMOUNT WHAT", such as "Ana 12.50 tickets", or "undo". After each
 * line that changes something, the program prints what each person paid, and the balance. It
 * reports a line that is wrong and continues; its exit status is then 1.
 */
#include <immutabledata.hpp>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace imd = immutabledata;

/* {"type":"paid","payload":{"name":"Ana","cents":1250,"what":"tickets"}} */
struct paid {
  std::string name;
  std::int64_t cents;
  std::string what;
};
IMD_TYPE(paid, name, cents, what)

static imd::value add_expense(const imd::value &state, const paid &expense) {
  if (expense.cents <= 0) throw std::invalid_argument("the amount must be positive");
  const auto person = imd::pointer("paid", expense.name);
  const auto before = state.try_as<std::int64_t>(person).value_or(0);
  return state.set(person, before + expense.cents).insert("/expenses/-", expense);
}

class ledger {
 public:
  ledger() {
    store_ = imd::store::create({{"paid", imd::object()}, {"expenses", imd::array()}},
                                imd::reducer(add_expense), {{"history", true}});
    store_.define_selector("paid", "paid");
    observation_ = store_.observe("paid", print, {}, {{"initial", false}});
  }

  void pay(const std::string &name, std::int64_t cents, const std::string &what) {
    store_.dispatch(paid{name, cents, what});
  }

  void undo() {
    if (store_.undo() == 0) throw std::logic_error("there is nothing to undo");
  }

 private:
  static void print(const imd::value &paid) {
    std::int64_t total = 0;
    for (const imd::value &cents : paid.elements()) total += cents.as<std::int64_t>();
    for (const auto &[name, cents] : paid.members()) {
      const double share = static_cast<double>(total) / static_cast<double>(paid.count());
      const auto own = cents.as<double>();
      std::cout << std::left << std::setw(8) << name << std::right << std::fixed
                << std::setprecision(2) << std::setw(8) << own / 100 << std::showpos
                << std::setw(9) << (own - share) / 100 << std::noshowpos << '\n';
    }
    std::cout << "--\n";
  }

  imd::store store_;
  imd::observation observation_;
};

static void run_line(ledger &ledger, const std::string &line) {
  if (line == "undo") return ledger.undo();
  std::istringstream words(line);
  std::string name, what;
  double amount = 0;
  if (!(words >> name >> amount) || !std::getline(words >> std::ws, what) ||
      std::abs(amount) > 1e9)
    throw std::invalid_argument("expected NAME AMOUNT WHAT, or undo");
  ledger.pay(name, std::llround(amount * 100), what);
}

int main() {
  ledger ledger;
  int status = 0, number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    number++;
    try {
      run_line(ledger, line);
    } catch (const std::exception &error) {
      std::cerr << "line " << number << ": " << error.what() << '\n';
      status = 1;
    }
  }
  return status;
}
