package transport

// What the tests look at directly, because no reply reaches it alone.
var (
	Expiry     = expiry
	MayBeToken = mayBeToken
)
