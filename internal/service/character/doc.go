// Package character holds characters, their images and their assets.
//
// A character is adopted by its id, or created without one, where the
// deployment can:
//
//   - an adoption updates it only where the configuration differs, which the plan says if it can
//     read the list;
//   - a creation is one request, whose reply is the state. One that is unconfirmed is an error,
//     which names what the list shows since. What was created is pending until a read has shown it,
//     at most for ten minutes;
//   - refresh finds all characters in one character list. One that a complete list does not show is
//     gone only if another one lacks it too and its capabilities return 404 or 410, twice; otherwise
//     it belongs to another creator's token and is kept;
//   - destroy deletes it if it was created here, else forgets it: deletion_policy is decided once.
//     What is deleted with it is not documented; the plan counts what may be.
//
// An image of the face or the body is uploaded once and can be neither changed
// nor deleted:
//
//   - create streams the file; changed bytes are a new image. The plan refuses a file that cannot be
//     an image, and warns of one that may not be;
//   - it is not yet seen until the asset list has shown it, or should have within ten minutes. Only
//     then can it vanish, unless the list may have it by another id;
//   - an upload that breaks off before its end leaves nothing, and is an error; an unconfirmed one
//     is an error too, and names what the list shows since;
//   - destroy and replacement forget it; the asset stays.
//
// Nothing here costs credits, so nothing is recorded of an unconfirmed request.
// Nothing is adopted that no reply has named: a person decides whose it is.
package character
