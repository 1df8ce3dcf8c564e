// Package download holds the download of generations' results to a directory.
//
// The action buys nothing and deletes nothing at the service, and can be
// invoked again and again:
//
//   - each generation is read, with one request, just before its files are downloaded: the
//     addresses may be signed, and expire;
//   - a file appears under its name only when it is complete. One that exists is replaced if the
//     record proves that it is as this action wrote it, of an earlier generation of that name, or
//     if overwrite is set; any other stays;
//   - a failure ends nothing but its generation. What a fresh address may cure is tried once more
//     at the end; a wrong key, and the time that ran out, end the run: further reads would fail too;
//   - what has ended without results, as a failed prompt, is skipped with a warning, and also in a
//     line of progress: CLIs do not show the warnings of triggered actions;
//   - the end of a run, whatever ended it, writes the record of the directory (which generation
//     each file is of) and the contact sheet, and names what is missing. The record is a
//     documented format: what no reply says, the configuration hands over (origin.go).
//
// No byte of a file is changed, since a signature in it (C2PA) covers all of them.
//
// Files, their names, hosts and the two pages about them are package media's.
package download
