package download

// New is the action; NoteAsked notes what it is asked to save.
var (
	New       = newDownloadGenerations
	NoteAsked = noteAsked
)
