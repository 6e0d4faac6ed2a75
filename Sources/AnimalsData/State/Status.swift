import ProductSupport

/// The progress of a fetch or a change.
public typealias Status = ProductSupport.Status
