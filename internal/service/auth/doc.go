// Package auth hands out the access tokens that the provider itself uses.
//
// A token lives in the memory of the process only: an ephemeral value is in
// neither plan nor state. It expires by itself and cannot be given back, so
// there is nothing to close, and a renewed one could not be handed out.
package auth
