// Package character holds characters, their face images and their assets.
//
// The interface can neither create nor delete a character:
//
//   - create adopts an existing one, and updates it only where the
//     configuration differs, which the plan says if it can read the list;
//   - refresh finds all characters in one character list. One that a complete
//     list does not show is gone only if its capabilities return 404; otherwise
//     it belongs to another creator's token and is kept;
//   - destroy forgets it; it stays at the service.
//
// A face image is uploaded once and can be neither changed nor deleted:
//
//   - create streams the file; changed bytes are a new image. The plan refuses
//     a file that cannot be an image, and warns of one that may not be;
//   - it is not yet seen until the asset list has shown it. Only then can it vanish;
//   - an upload that broke off before its end left nothing, and is an error;
//   - an upload whose reply was lost is never sent again by itself: its asset
//     is searched for in the list, among those that are newer than it;
//   - destroy and replacement forget it; the asset stays.
//
// Nothing here costs credits.
package character
