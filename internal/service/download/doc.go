// Package download has the download of generations' results to a directory.
//
// The action buys nothing and deletes nothing at the service, and can be
// invoked again and again:
//
//   - Each generation is read, with one request, just before its files are downloaded: the addresses
//     may be signed, and expire.
//   - A file appears under its name only when it is complete. An existing file is replaced if
//     overwrite is set, or if the record proves that this action wrote it, that it is unchanged, and
//     that it is of an earlier generation of that name. Any other file stays.
//   - A failure ends only the download of its generation. If a fresh address may help, the download is
//     tried once more at the end. A wrong key, or the end of the timeout, ends the run: further reads
//     would fail too.
//   - A generation that has ended without results, such as a failed prompt, is skipped with a warning
//     and a line of progress: CLIs do not show the warnings of triggered actions.
//   - At the end of a run, whatever ended it, the record of the directory (which generation each file
//     is of) and the contact sheet are written, and missing files are named. The record is a
//     documented format. Facts that no reply contains come from the configuration (origin.go).
//
// No byte of a file is changed, because a signature in it (C2PA) covers all of
// them.
//
// Files, their names, hosts and the two pages about them are in package media.
package download
