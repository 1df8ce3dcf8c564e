package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// unreturned is a purchase of which the purchase log does not say that a create or update has
// ended, so that perhaps no state has it. Its entry is that of the answer, if there was one: a
// group that an error names may be anybody's.
type unreturned struct {
	*logEntry
	isRoot   bool // it was to make a group, and not sent into one
	isKilled bool // as the process that answers for it, which may end at any time: found out once
}

// unreturned returns purchases that no run has returned, of this caller and of the wanted kind and
// character, chosen from all in the order in which they were sent. With take this process answers
// from now on for those of killed ones, and the log says so: else nothing may be taken.
func (c *Client) unreturned(ctx context.Context, want *logEntry, take bool, choose func([]*unreturned) []*unreturned) (chosen []*unreturned, err error) {
	l, this := c.log, c.by()
	if l.path == "" {
		return nil, nil
	}
	defer func() {
		if err != nil {
			err = &reply.Error{Err: fmt.Errorf("%w: %w", ErrPurchaseLog, err)}
		}
	}()
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
	all = slices.DeleteFunc(all, func(u *unreturned) bool {
		// An organization may be unknown.
		isStranger := u.By.Address != this.Address || u.By.Organization != this.Organization && u.By.Organization != "" && this.Organization != ""
		isOther := u.Type != want.Type || u.CharacterID != want.CharacterID || u.By.Run == this.Run || isStranger
		u.isKilled = !isOther && l.isKilled(u.By)
		return isOther
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	chosen = choose(all)
	var taken []*logEntry
	var lines strings.Builder
	for _, purchase := range chosen {
		if take && purchase.isKilled {
			line, _ := l.line(&logEntry{Request: purchase.Request, Type: purchase.Type, Outcome: outcomeTaken, By: this})
			lines.Write(append(line, '\n'))
			taken = append(taken, purchase.logEntry)
		}
	}
	if err := l.answersFor(len(taken)); err != nil || len(taken) == 0 {
		return chosen, err
	}
	if err := l.append(file, size, lines.String()); err != nil {
		return nil, errors.Join(err, l.answersFor(-len(taken)))
	}
	keepReceipts(ctx, taken...)
	return chosen, nil
}

// readUnreturned reads a purchase log. Lines that it does not know say nothing: a disk was full, or
// another version has written them.
func readUnreturned(log io.Reader) (open []*unreturned, err error) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 32<<20) // that of a batch has a hash for each prompt
	for lines.Scan() {
		var entry logEntry
		if json.Unmarshal(lines.Bytes(), &entry) != nil {
			continue
		}
		open = slices.DeleteFunc(open, func(purchase *unreturned) bool { return purchase.ends(&entry) })
		if entry.Outcome == outcomeSending && entry.By != nil {
			open = append(open, &unreturned{logEntry: &entry, isRoot: entry.GroupID == ""})
		}
	}
	return open, lines.Err()
}

// ends takes over what a later entry says, and reports whether there is nothing left to take.
func (u *unreturned) ends(later *logEntry) bool {
	if later.Request == u.Request {
		switch later.Outcome {
		case outcomeTaken:
			u.By = later.By
		case outcomeAnswered:
			later.Time, later.By = u.Time, u.By
			u.logEntry = later
		case outcomeUnknown:
		default:
			return true
		}
		return false
	}
	done := later.Outcome == outcomeAnswered || later.Outcome == outcomeGone || later.Outcome == outcomeKept
	if !done || len(u.Generations) == 0 {
		return done && later.Type == "cancel_training" && value(later.JobID) == value(u.JobID) && later.CharacterID == u.CharacterID
	}
	maps.DeleteFunc(u.Generations, func(_, id string) bool {
		if later.Type == "delete_group" {
			return later.GroupID == u.GroupID && !slices.Contains(later.Left, id)
		}
		return id == later.GenerationID || later.Outcome == outcomeKept && slices.Contains(later.Left, id)
	})
	return len(u.Generations) == 0
}
