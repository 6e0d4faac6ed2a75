/* The macros behind IMD_TYPE and IMD_ENUM. */
#ifndef IMMUTABLEDATA_EACH_HPP
#define IMMUTABLEDATA_EACH_HPP

#define IMD_FIELD(t, m) ::immutabledata::detail::field<t, decltype(t::m)>{#m, &t::m}
#define IMD_ENUMERATOR(t, m) ::immutabledata::detail::enumerator<t>{#m, t::m}
#define IMD_FIRST(t, ...) t
#define IMD_JOIN(a, b) IMD_JOIN_EXPANDED(a, b)
#define IMD_JOIN_EXPANDED(a, b) a##b

/* The members in order, and the name of the type. */
#define IMD_EACH(f, ...) IMD_JOIN(IMD_EACH_, IMD_COUNT(__VA_ARGS__))(f, __VA_ARGS__)
#define IMD_EACH_1(f, t) ::immutabledata::detail::type_name(#t)
#define IMD_EACH_2(f, t, m) f(t, m), IMD_EACH_1(f, t)
#define IMD_EACH_3(f, t, m, ...) f(t, m), IMD_EACH_2(f, t, __VA_ARGS__)
#define IMD_EACH_4(f, t, m, ...) f(t, m), IMD_EACH_3(f, t, __VA_ARGS__)
#define IMD_EACH_5(f, t, m, ...) f(t, m), IMD_EACH_4(f, t, __VA_ARGS__)
#define IMD_EACH_6(f, t, m, ...) f(t, m), IMD_EACH_5(f, t, __VA_ARGS__)
#define IMD_EACH_7(f, t, m, ...) f(t, m), IMD_EACH_6(f, t, __VA_ARGS__)
#define IMD_EACH_8(f, t, m, ...) f(t, m), IMD_EACH_7(f, t, __VA_ARGS__)
#define IMD_EACH_9(f, t, m, ...) f(t, m), IMD_EACH_8(f, t, __VA_ARGS__)
#define IMD_EACH_10(f, t, m, ...) f(t, m), IMD_EACH_9(f, t, __VA_ARGS__)
#define IMD_EACH_11(f, t, m, ...) f(t, m), IMD_EACH_10(f, t, __VA_ARGS__)
#define IMD_EACH_12(f, t, m, ...) f(t, m), IMD_EACH_11(f, t, __VA_ARGS__)
#define IMD_EACH_13(f, t, m, ...) f(t, m), IMD_EACH_12(f, t, __VA_ARGS__)
#define IMD_EACH_14(f, t, m, ...) f(t, m), IMD_EACH_13(f, t, __VA_ARGS__)
#define IMD_EACH_15(f, t, m, ...) f(t, m), IMD_EACH_14(f, t, __VA_ARGS__)
#define IMD_EACH_16(f, t, m, ...) f(t, m), IMD_EACH_15(f, t, __VA_ARGS__)
#define IMD_EACH_17(f, t, m, ...) f(t, m), IMD_EACH_16(f, t, __VA_ARGS__)
#define IMD_EACH_18(f, t, m, ...) f(t, m), IMD_EACH_17(f, t, __VA_ARGS__)
#define IMD_EACH_19(f, t, m, ...) f(t, m), IMD_EACH_18(f, t, __VA_ARGS__)
#define IMD_EACH_20(f, t, m, ...) f(t, m), IMD_EACH_19(f, t, __VA_ARGS__)
#define IMD_EACH_21(f, t, m, ...) f(t, m), IMD_EACH_20(f, t, __VA_ARGS__)
#define IMD_EACH_22(f, t, m, ...) f(t, m), IMD_EACH_21(f, t, __VA_ARGS__)
#define IMD_EACH_23(f, t, m, ...) f(t, m), IMD_EACH_22(f, t, __VA_ARGS__)
#define IMD_EACH_24(f, t, m, ...) f(t, m), IMD_EACH_23(f, t, __VA_ARGS__)
#define IMD_EACH_25(f, t, m, ...) f(t, m), IMD_EACH_24(f, t, __VA_ARGS__)
#define IMD_EACH_26(f, t, m, ...) f(t, m), IMD_EACH_25(f, t, __VA_ARGS__)
#define IMD_EACH_27(f, t, m, ...) f(t, m), IMD_EACH_26(f, t, __VA_ARGS__)
#define IMD_EACH_28(f, t, m, ...) f(t, m), IMD_EACH_27(f, t, __VA_ARGS__)
#define IMD_EACH_29(f, t, m, ...) f(t, m), IMD_EACH_28(f, t, __VA_ARGS__)
#define IMD_EACH_30(f, t, m, ...) f(t, m), IMD_EACH_29(f, t, __VA_ARGS__)
#define IMD_EACH_31(f, t, m, ...) f(t, m), IMD_EACH_30(f, t, __VA_ARGS__)
#define IMD_EACH_32(f, t, m, ...) f(t, m), IMD_EACH_31(f, t, __VA_ARGS__)
#define IMD_EACH_33(f, t, m, ...) f(t, m), IMD_EACH_32(f, t, __VA_ARGS__)

/* The number of arguments. */
#define IMD_PICK( \
  a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, \
  a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, n, ...) n
#define IMD_COUNT(...) \
  IMD_PICK(__VA_ARGS__, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, \
  15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

#endif
