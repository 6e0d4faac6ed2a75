import ProductSupport

/// An exact amount of money.
public typealias Money = ProductSupport.Money

/// A point in time, in milliseconds since 1970.
public typealias Timestamp = ProductSupport.Timestamp

/// The direction of a sort.
public typealias SortOrder = ProductSupport.SortOrder
