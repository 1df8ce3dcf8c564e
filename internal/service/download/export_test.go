package download

// NoteAsked notes what the action is asked to save, as its plan does.
var NoteAsked = noteRequested
