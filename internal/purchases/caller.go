package purchases

// Caller says who sent a request, and where to. It is stored with what was seen
// and in the log: it has no secret.
type Caller struct {
	// Address is empty in old states, and Organization if it is unknown without
	// a request.
	Address      string `json:"address,omitempty"`
	Organization string `json:"organization,omitempty"`
	// Salt and Credential, a salted hash, identify the API key or the token
	// provider's address. Both are empty for an access token, which differs in
	// every run.
	Salt       string `json:"salt,omitempty"`
	Credential string `json:"credential,omitempty"`
}

// Buyer is who buys in this run.
type Buyer interface {
	// Now is how the log names it.
	Now() Caller
	// IsOther reports whether a caller is certainly another one: at another
	// address, of another organization or, where an organization is unknown,
	// with another credential.
	IsOther(then Caller) bool
}
