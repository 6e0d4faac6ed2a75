import ProductSupport

/// Why a request to an animals server failed.
public typealias RemoteError = ProductSupport.RemoteError
