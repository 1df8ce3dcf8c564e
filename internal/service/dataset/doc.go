// Package dataset holds the generated images that a character is trained on.
//
// The service generates them; they can be listed, and a person approves them
// elsewhere. Reading them costs nothing.
//
// A regeneration replaces one image by a new one, from a prompt:
//
//   - create sends it once; no credits are documented for it. If its reply is
//     lost, create stores it with a warning and never sends it again by itself;
//   - refresh reads the approval, with one request for all regenerations of a
//     character. Only an image that a list has shown can vanish;
//   - destroy forgets it; the image stays as it is.
package dataset
