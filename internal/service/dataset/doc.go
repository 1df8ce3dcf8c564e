// Package dataset holds the generated images that a character is trained on.
//
// The service makes them; they can be listed, and a person approves them
// elsewhere. Reading them costs nothing.
package dataset
