package story_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

type booking struct {
	Request, Type, Outcome string
	CharacterID            string `json:"character_id"`
	GroupID                string `json:"group_id"`
	GenerationID           string `json:"generation_id"`
	JobID                  string `json:"job_id"`
	Prompts, Generations   map[string]string
	Keys, Rejected         []string
	Leftovers              []string `json:"left"`
	Object, Inputs         string
	Certain                bool
}

func (b booking) bought() bool { return b.Outcome == "answered" || b.Outcome == "unknown" }

func (s *story) readLog() (all []booking, added int) {
	content, err := os.ReadFile(s.log)
	s.must(err == nil || os.IsNotExist(err), "the log: %s", err)
	for text := range strings.Lines(string(content)) {
		var line booking
		err := json.Unmarshal([]byte(text), &line)
		s.must(err == nil, "the log has the line %q: %s", text, err)
		all = append(all, line)
	}
	added = len(all) - s.logged
	s.logged = len(all)
	return all, added
}

// checkBooks: the log holds every purchase of the ledger, and names what the
// service has.
func (s *story) checkBooks(undisturbed bool) {
	all, added := s.readLog()
	lines := all[len(all)-added:]
	ends := map[string]int{}
	var purchases []booking
	for _, line := range lines {
		switch {
		case line.Type != "batch" && line.Type != "training":
		case line.Outcome == "sending":
			ends[line.Request]--
			// what a later run has found, or given up
		case slices.Contains([]string{"stored", "kept", "gone"}, line.Outcome):
		default:
			ends[line.Request]++
			if line.bought() {
				purchases = append(purchases, line)
			}
		}
	}
	s.checkNothingAfterUnknown(lines)
	for request, open := range ends {
		s.must(open == 0, "the lines of the request %s do not come in pairs", request)
	}
	for _, entry := range s.Ledger().Entries[s.booked:] {
		if entry.Kind == "refund" {
			continue
		}
		i := slices.IndexFunc(purchases, func(line booking) bool {
			if line.Type != entry.Kind {
				return false
			}
			return line.Type == "training" && line.CharacterID == s.jobs[entry.ID] ||
				line.Type == "batch" && line.holds(entry.Prompts)
		})
		s.must(i >= 0, "the log has no line of the purchase %s of %q", entry.ID, entry.Prompts)
		purchases = slices.Delete(purchases, i, i+1)
	}
	for _, line := range lines {
		for key, id := range line.Generations {
			s.checkBooked(all, line, key, id, undisturbed)
		}
		s.must(
			line.Type != "training" || line.JobID == "" || line.JobID == strangeID ||
				s.jobs[line.JobID] == line.CharacterID,
			"the log names the training %s, which is none of %s",
			line.JobID,
			line.CharacterID,
		)
	}
}

// checkNothingAfterUnknown: after an unconfirmed batch, the command submits
// nothing more of that group. Two that share a group may have a text in common.
func (s *story) checkNothingAfterUnknown(lines []booking) {
	unknown := map[string]bool{}
	for _, line := range lines {
		if line.Type != "batch" {
			continue
		}
		senders := s.sendersOf(line)
		for _, address := range senders {
			mine := len(senders) == 1
			s.must(
				!mine || line.Outcome != "sending" || !unknown[address],
				"%s goes on to buy after an unconfirmed batch",
				address,
			)
			unknown[address] = unknown[address] || mine && line.Outcome == "unknown"
		}
	}
}

func (s *story) sendersOf(line booking) (addresses []string) {
	for address, g := range s.config.groups {
		if slices.ContainsFunc(slices.Collect(maps.Values(g.prompts)), func(p prompt) bool {
			return slices.ContainsFunc(slices.Collect(maps.Values(line.Prompts)), isOf(p.text))
		}) {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// checkBooked: a generation in the log is of that prompt, or in doubt of one of
// the batch, and exists unless it was deleted.
func (s *story) checkBooked(all []booking, line booking, key, id string, undisturbed bool) {
	there, found := s.Generation(id)
	switch {
	case found && undisturbed && line.Certain && !isOf(there.Prompt)(line.Prompts[key]):
		s.T.Fatalf("the log names the generation %s for %q, which is of %q", id, key, there.Prompt)
	case found && !line.holds([]string{there.Prompt}):
		s.T.Fatalf("the log names the generation %s, which is of %q and of another batch", id, there.Prompt)
	case !found && undisturbed && !s.disturbed[line.GroupID] && id != strangeID &&
		!slices.ContainsFunc(all, func(other booking) bool {
			return other.Type == "delete_generation" && other.GenerationID == id ||
				other.Type == "delete_group" && other.GroupID == line.GroupID
		}):
		s.T.Fatalf("the log names the generation %s, which the service does not have", id)
	}
}

func (b booking) holds(texts []string) bool {
	left := []string{}
	for _, hash := range b.Prompts {
		left = append(left, hash)
	}
	for _, text := range texts {
		i := slices.IndexFunc(left, isOf(text))
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// isOf reports of a prompt's sum in the log whether it is of a text, with
// whatever options and take.
func isOf(text string) func(sum string) bool {
	return func(sum string) bool {
		for _, options := range [][]string{nil, {`"face_swap":true`}, {`"face_swap":false`}} {
			if sum == hashOf(text, options...) {
				return true
			}
			for take := range maxApplies { // each refusal asks for one more
				if sum == hashOf(text, append(slices.Clone(options), fmt.Sprintf(`"take":%d`, take+1))...) {
					return true
				}
			}
		}
		return false
	}
}

func hashOf(text string, options ...string) string {
	quoted, _ := json.Marshal(text)
	sum := sha256.Sum256(
		[]byte("{" + strings.Join(append([]string{`"prompt":` + string(quoted)}, options...), ",") + "}"),
	)
	return hex.EncodeToString(sum[:])
}

// checkLimit: neither the ledger nor a plan without an error exceeds a limit.
func (s *story) checkLimit(plan *core.Plan, setting, unit string, training int64) {
	limit, limited := s.settings[setting].(int64)
	if !limited {
		return
	}
	counted := func(all purchases) (sum int64) {
		for what, times := range all {
			if strings.HasPrefix(what, "training of ") {
				times *= int(training)
			}
			sum += int64(times)
		}
		return sum
	}
	charged := counted(s.charged())
	s.must(charged <= limit, "%d %s were charged, and %s allows %d", charged, unit, setting, limit)
	if plan == nil || plan.Diagnostics.HasErrors() {
		return
	}
	promised := counted(announced(plan))
	s.must(promised <= limit, "the plan announces %d %s, and %s allows %d", promised, unit, setting, limit)
}
