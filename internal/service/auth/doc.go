// Package auth issues the access tokens that the provider itself uses.
//
// A token lives only in the memory of the process: an ephemeral value is in
// neither plan nor state. It expires by itself and cannot be revoked, so there
// is nothing to close. A renewed token could not be passed on to its user.
package auth
