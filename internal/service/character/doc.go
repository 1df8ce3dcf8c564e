// Package character has characters, their images and their assets.
//
// A character is adopted by its id, or created without an id, if the deployment
// can create characters:
//
//   - An adoption updates the character only where the configuration differs. The plan says so if it
//     can read the list.
//   - A creation is a single request, whose reply is the state. An unconfirmed creation is an error,
//     which names the characters that the list shows since. A created character is pending until a
//     read has shown it, at most for ten minutes.
//   - Refresh finds all characters in a single list. A character that is missing from a complete list
//     is gone only if a second list lacks it too and its capabilities return 404 or 410, twice.
//     Otherwise it belongs to the token of a different creator, and is kept.
//   - Destroy deletes a character that was created here, and forgets any other; deletion_policy is
//     decided once. It is not documented which objects the service deletes with a character; the plan
//     counts those that may be deleted.
//
// An image of the face or the body is uploaded once, and can be neither changed
// nor deleted:
//
//   - Create streams the file; changed bytes are a new image. The plan refuses a file that cannot be
//     an image, and warns of a file that may be none.
//   - An image is not yet seen until the asset list has shown it, or should have within ten minutes.
//     Only then can it vanish, unless the list may have it by a different id.
//   - An upload that breaks off before its end leaves nothing, and is an error. An unconfirmed upload
//     is an error too, which names the assets that the list shows since.
//   - Destroy and replacement forget the image; the asset stays.
//
// Nothing here costs credits, so no unconfirmed request is recorded. An object
// that no reply has named is never adopted: a person decides to whom it
// belongs.
package character
