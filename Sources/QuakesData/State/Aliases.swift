import ProductSupport

/// The progress of a fetch, or the failure of a later change.
public typealias Status = ProductSupport.Status

/// A point in time, in milliseconds since 1970.
public typealias Timestamp = ProductSupport.Timestamp

/// The direction of a sort.
public typealias SortOrder = ProductSupport.SortOrder
