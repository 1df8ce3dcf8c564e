package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// unreturned is a purchase of which the purchase log does not say that a create or
// update has ended, so that perhaps no state has it. Its entry is the last that says
// what became of it.
type unreturned struct {
	*logEntry
	// sent is when, and sentInto the group that the request named.
	sent, sentInto string
	// isKilled: the process that answers for it was killed. That is found out once: it
	// may end in between.
	isKilled bool
}

// unreturned returns purchases that no run has returned, chosen from all of them in the
// order in which they were sent. With by, the process answers from now on for those of
// killed ones, and the log says so: if that cannot be written, nothing may be taken.
func (l *purchaseLog) unreturned(choose func([]*unreturned) []*unreturned, by *process) (chosen []*unreturned, err error) {
	if l.path == "" {
		return nil, nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	file, size, err := l.open(0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	all, err := readUnreturned(io.NewSectionReader(file, 0, size))
	if err != nil {
		return nil, err
	}
	for _, purchase := range all {
		purchase.isKilled = purchase.By.isKilled()
	}
	chosen = choose(all)
	var lines strings.Builder
	for _, purchase := range chosen {
		if by == nil || !purchase.isKilled {
			continue
		}
		line, _ := json.Marshal(logEntry{
			Time: l.clock.Now().UTC().Format(time.RFC3339), Request: purchase.Request, Type: purchase.Type, Outcome: outcomeTaken, By: by,
		})
		lines.Write(append(line, '\n'))
	}
	if lines.Len() == 0 {
		return chosen, nil
	}
	return chosen, l.append(file, size, lines.String())
}

// longestEntry bounds a line, in bytes: that of a batch has a hash for each prompt.
const longestEntry = 32 << 20

// readUnreturned reads a purchase log. Lines that it does not know say nothing: a disk
// was full, or another version has written them.
func readUnreturned(log io.Reader) (open []*unreturned, err error) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, longestEntry)
	for lines.Scan() {
		var entry logEntry
		if json.Unmarshal(lines.Bytes(), &entry) != nil {
			continue
		}
		open = slices.DeleteFunc(open, func(purchase *unreturned) bool { return purchase.ends(&entry) })
		if entry.Outcome == outcomeSending && entry.By != nil {
			open = append(open, &unreturned{logEntry: &entry, sent: entry.Time, sentInto: entry.GroupID})
		}
	}
	return open, lines.Err()
}

// ends takes over what a later entry says, and reports whether there is nothing left to
// take of the purchase.
func (u *unreturned) ends(later *logEntry) bool {
	if later.Request == u.Request {
		switch later.Outcome {
		case outcomeTaken:
			if u.By = later.By; u.By == nil {
				return true
			}
		case outcomeAnswered, outcomeUnknown:
			later.By, later.Prompts = u.By, u.Prompts
			u.logEntry = later
		default:
			return true
		}
		return false
	}
	done := later.Outcome == outcomeAnswered || later.Outcome == outcomeGone || later.Outcome == outcomeKept
	if !done || u.Outcome != outcomeAnswered {
		return false
	}
	switch later.Type {
	case "cancel_training":
		return later.JobID != "" && later.JobID == u.JobID && later.CharacterID == u.CharacterID
	case "delete_generation", "keep":
		gone := append([]string{later.GenerationID}, later.Left...)
		maps.DeleteFunc(u.Generations, func(_, id string) bool { return slices.Contains(gone, id) })
		return u.Type == "batch" && len(u.Generations) == 0
	case "delete_group":
		maps.DeleteFunc(u.Generations, func(_, id string) bool { return later.GroupID == u.GroupID && !slices.Contains(later.Left, id) })
		return u.Type == "batch" && len(u.Generations) == 0
	}
	return false
}
