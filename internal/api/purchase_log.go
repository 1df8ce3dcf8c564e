package api

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ErrPurchaseLog says that the purchase log cannot be written, because of which
// nothing was bought.
var ErrPurchaseLog = errors.New("the purchase log (purchase_log) cannot be written")

// The outcomes of a line of the purchase log.
const (
	// outcomeSending is that of the line before a request.
	outcomeSending  = "sending"
	outcomeAnswered = "answered"
	outcomeRefused  = "refused"
	// outcomeGone is that of a deletion of what is proven to be gone.
	outcomeGone   = "gone"
	outcomeUnsent = "unsent"
	// outcomeUnknown: it may have been done.
	outcomeUnknown = "unknown"
)

// logLine is a line of the purchase log. The lines of one request have the same
// Request.
type logLine struct {
	Time        string  `json:"time"`
	Request     string  `json:"request"`
	Type        string  `json:"type"`
	Outcome     string  `json:"outcome"`
	Status      int     `json:"status,omitempty"`
	CharacterID string  `json:"character_id,omitempty"`
	Title       *string `json:"title,omitempty"`
	GroupID     string  `json:"group_id,omitempty"`
	BatchID     string  `json:"batch_id,omitempty"`
	JobID       string  `json:"job_id,omitempty"`
	// GenerationID is what a deletion is of.
	GenerationID string `json:"generation_id,omitempty"`
	// Prompts are the SHA-256 of the texts, by key.
	Prompts map[string]string `json:"prompts,omitempty"`
	// Generations are the ids by key, and OtherIDs those that the reply names and
	// nothing holds. Certain says that the reply leaves no doubt of whose they
	// are.
	Generations map[string]string `json:"generations,omitempty"`
	OtherIDs    []string          `json:"other_ids,omitempty"`
	Certain     *bool             `json:"certain,omitempty"`
	// Left are the generations that a deletion of their group has left.
	Left             []string `json:"left,omitempty"`
	CreditsDeducted  *float64 `json:"credits_deducted,omitempty"`
	RemainingBalance *float64 `json:"remaining_balance,omitempty"`
}

// UnwrittenLine is a line of what has happened that the purchase log could not
// take.
type UnwrittenLine struct {
	Line string
	Err  error
}

// purchaseLog is where a client writes down what it buys and deletes. The zero
// value writes nothing.
type purchaseLog struct {
	file  *logFile
	clock wait.Clock
	// unwritten is guarded by the mutex of the file.
	unwritten []UnwrittenLine
}

// announce writes the line before a paid request: without it nothing is sent.
func (l *purchaseLog) announce(line *logLine) error {
	if l.file == nil {
		return nil
	}
	line.Request, line.Outcome = strings.ToLower(rand.Text()), outcomeSending
	if err := l.file.append(l.encode(line)); err != nil {
		return fmt.Errorf("%w: %w", ErrPurchaseLog, err)
	}
	return nil
}

// begin writes the line before a request that is not paid. It is sent without
// that line, too: what cannot be written is told once it is over.
func (l *purchaseLog) begin(line *logLine) *logLine {
	_ = l.announce(line)
	return line
}

// settle writes the line after a request.
func (l *purchaseLog) settle(line *logLine, failure error) {
	if l.file == nil {
		return
	}
	line.end(failure)
	text := l.encode(line)
	if err := l.file.append(text); err != nil {
		l.file.mutex.Lock()
		defer l.file.mutex.Unlock()
		l.unwritten = append(l.unwritten, UnwrittenLine{Line: string(text), Err: err})
	}
}

func (l *purchaseLog) encode(line *logLine) []byte {
	line.Time = l.clock.Now().UTC().Format(time.RFC3339)
	text, err := json.Marshal(line)
	if err != nil {
		panic(err) // it holds nothing but texts and numbers
	}
	return text
}

// end takes over how a request has ended.
func (l *logLine) end(err error) {
	failure, _ := errors.AsType[*Error](err)
	switch {
	case err == nil:
		l.Outcome = outcomeAnswered
		return
	case failure == nil:
		l.Outcome = outcomeUnsent
		return
	case strings.HasPrefix(l.Type, "delete_") && failure.Absence > transport.AbsenceClaimed:
		l.Outcome = outcomeGone
	case IsOutcomeUnknown(err), failure.Status >= 500, failure.Status == 0 && failure.Sent:
		l.Outcome = outcomeUnknown
	case failure.Status == 0:
		l.Outcome = outcomeUnsent
	default:
		l.Outcome = outcomeRefused
	}
	l.Status, l.OtherIDs = failure.Status, append(l.OtherIDs, failure.IDs...)
	if l.GroupID == "" {
		l.GroupID = failure.GroupID
	}
}

// logLine describes the purchase of a batch.
func (b Batch) logLine() *logLine {
	line := &logLine{Type: "batch", CharacterID: value(b.CharacterID), Title: b.GroupTitle, GroupID: value(b.GroupID), Prompts: map[string]string{}}
	for i, prompt := range b.Prompts {
		sum := sha256.Sum256([]byte(prompt.Prompt))
		key := prompt.Key
		if key == "" {
			key = strconv.Itoa(i)
		}
		line.Prompts[key] = hex.EncodeToString(sum[:])
	}
	return line
}

// receive takes over the receipt of a batch.
func (l *logLine) receive(batch Batch, result *BatchResult) {
	l.BatchID = value(result.BatchID)
	if result.GroupID != nil {
		l.GroupID = *result.GroupID
	}
	l.CreditsDeducted, l.RemainingBalance = result.CreditsDeducted, result.RemainingBalance
	l.OtherIDs = append(l.OtherIDs, result.OtherIDs...)
	matched := map[string]bool{}
	if batch.Match != nil {
		ids, certain := batch.Match(result.Results)
		l.Generations, l.Certain = ids, &certain
		for _, id := range ids {
			matched[id] = true
		}
	}
	for _, entry := range result.Results {
		if id := value(entry.GenerationID); id != "" && !matched[id] {
			l.OtherIDs = append(l.OtherIDs, id)
		}
	}
}

// CheckPurchaseLog says why the next purchase could not be logged, and changes
// nothing.
func (c *Client) CheckPurchaseLog() error {
	if c.log.file == nil {
		return nil
	}
	return c.log.file.check()
}

// UnwrittenLines are the lines that the purchase log could not take, each told
// once.
func (c *Client) UnwrittenLines() []UnwrittenLine {
	if c.log.file == nil {
		return nil
	}
	c.log.file.mutex.Lock()
	defer c.log.file.mutex.Unlock()
	lines := c.log.unwritten
	c.log.unwritten = nil
	return lines
}
