package provider

// New makes a provider for tests that ask it for its types.
var New = newProvider
