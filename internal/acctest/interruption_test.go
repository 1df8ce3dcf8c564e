//go:build unix

package acctest_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	patience = 50 * time.Second // for a command that does not come back
	// from the CLI to the provider, and short enough for a paid request to be answered after it
	moment = 300 * time.Millisecond
)

type fate string

const (
	answered fate = "answered" // the service does the work and answers, soon after the interrupt
	// the service has done the work before the interrupt, and answers after it
	answeredLate fate = "done, then answered"
	lost         fate = "lost"             // the work is not done, and neither this nor any later request is answered
	unanswered   fate = "done, unanswered" // the work is done, but neither this nor any later request is answered
	// it has been answered before the interrupt, which comes before the next request
	followed fate = "over"
)

func (f fate) silent() bool { return f == lost || f == unanswered }

type boundary struct {
	route string
	nth   int // of the route's requests, counted from 1
	fate  fate
}

func (b boundary) String() string {
	return fmt.Sprintf("%s %d %s", strings.ReplaceAll(b.route, "/", " "), b.nth, b.fate)
}

func (b boundary) unknown(route string) bool { return b.fate.silent() && b.route == route }

func (b boundary) lost(route string) bool { return b.fate == lost && b.route == route }

type signal func(process int)

// interrupt is a Ctrl-C: a terminal sends SIGINT to the whole process group,
// the provider included.
func interrupt(process int) { _ = syscall.Kill(-process, syscall.SIGINT) }

type interruption struct {
	output string
	code   int
	took   time.Duration // from the signal until the command was back
	group  int           // of its processes
}

func (m *terminal) signalled(at boundary, send signal, arguments ...string) interruption {
	m.t.Helper()
	reached := make(chan struct{})
	hold := make(chan struct{})
	back := make(chan struct{})
	m.fault(at, reached, hold)
	printed := heard{noticed: make(chan struct{})}
	command := exec.CommandContext(m.t.Context(), m.cli, arguments...)
	command.Dir = m.directory
	command.Env = m.environment
	command.Stdout = &printed
	command.Stderr = &printed
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	check.Must(m.t, command.Start())
	var sent time.Time
	var acting sync.WaitGroup
	acting.Go(func() {
		select {
		case <-back:
			return
		case <-reached:
		}
		if at.fate == followed {
			time.Sleep(moment)
		}
		sent = time.Now()
		send(command.Process.Pid)
		if !at.fate.silent() {
			select {
			case <-printed.noticed:
				time.Sleep(moment)
			case <-back:
			case <-time.After(patience):
			}
			close(hold)
		}
		select {
		case <-back:
		case <-time.After(patience):
			_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		}
	})
	_ = command.Wait()
	ended := time.Now()
	close(back)
	acting.Wait()
	m.transcript.Write(printed.text.Bytes())
	if sent.IsZero() {
		m.t.Fatalf("%s was not come to:\n%s\n%s", at, m.Story(), &printed.text)
	}
	return interruption{
		output: printed.text.String(),
		code:   command.ProcessState.ExitCode(),
		took:   ended.Sub(sent),
		group:  command.Process.Pid,
	}
}

type heard struct {
	text    bytes.Buffer
	once    sync.Once
	noticed chan struct{} // closed once it has said that it was interrupted
}

func (h *heard) Write(text []byte) (int, error) {
	count, err := h.text.Write(text)
	if so := h.text.Bytes(); bytes.Contains(so, []byte("nterrupt received")) ||
		bytes.Contains(so, []byte("^C received")) { // Pulumi's
		h.once.Do(func() { close(h.noticed) })
	}
	return count, err
}

func (m *terminal) fault(at boundary, reached chan<- struct{}, hold <-chan struct{}) {
	if at.fate == followed {
		hold = nil
	}
	m.Fault(mockserver.Fault{
		Route: at.route, Nth: at.nth, Hold: hold,
		HoldAfterWork: at.fate == answeredLate || at.fate == unanswered, DropBefore: at.fate == lost,
		Reached: func() {
			if at.fate.silent() {
				// A run that is killed sends nothing more.
				m.Fault(mockserver.Fault{Hold: hold, DropBefore: true, MayStayUnmet: true})
			}
			close(reached)
		},
	})
}
