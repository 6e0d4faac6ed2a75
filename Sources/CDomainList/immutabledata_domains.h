/* The function with which a shared library lists its domains. Each library that contains the
 * product ImmutableDataC defines it once, in Swift:
 *
 *     import ImmutableDataC
 *
 *     @c @implementation
 *     public func immutabledata_domains() -> DomainList {
 *       [LightDomain.self]
 *     }
 *
 * Without a definition, the library does not link. The function is not exported. */
#ifndef IMMUTABLEDATA_DOMAINS_H
#define IMMUTABLEDATA_DOMAINS_H

#pragma clang assume_nonnull begin

/* A list of Swift types, which only Swift can create. */
struct __attribute__((swift_name("DomainList"))) immutabledata_domain_list {
  const void *types __attribute__((swift_private));
};

/* Returns the domains of the library. The library calls it once, before it opens a store or
 * describes its domains. It must not call functions of immutabledata.h. */
struct immutabledata_domain_list immutabledata_domains(void);

#pragma clang assume_nonnull end

#endif
