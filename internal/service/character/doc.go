// Package character holds characters, their face images and their assets.
//
// A character can neither be created nor deleted through the interface:
//
//   - create adopts a record that exists, and updates it only where the
//     configuration differs from it, which its plan says if it can read the list;
//   - refresh finds all characters with one walk of the list. One that a
//     complete walk does not show is gone only if its capabilities answer 404;
//     otherwise it belongs to another creator's token and is kept;
//   - destroy forgets it; the record stays.
//
// A face image is uploaded once and can be neither changed nor deleted:
//
//   - create streams the file; changed bytes are a new image. What is no image is
//     refused, or doubted, at plan;
//   - until the asset list has shown it, it is pending. Only afterwards can it
//     vanish;
//   - an upload that broke off before its end left nothing, and is an error;
//   - an upload whose reply was lost is looked for in the list, where only what
//     is newer than it counts, and never sent again by itself;
//   - destroy and replacement forget it; the asset stays.
//
// Nothing here costs credits.
package character
