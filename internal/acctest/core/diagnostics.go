package core

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Severity is an error or a warning.
type Severity string

// The two severities.
const (
	Error   Severity = "Error"
	Warning Severity = "Warning"
)

// Diagnostic is one message of the provider or of the core to a person.
type Diagnostic struct {
	Severity Severity
	// Address is the resource or data source of the message; "" is the
	// provider.
	Address string
	// Summary and Detail are the texts.
	Summary, Detail string
	// Path is the attribute of the message, as in `parts["a"].text`; "" if
	// there is none.
	Path string
}

// String returns the message in the form in which the CLI prints it, in one
// line or more.
func (d Diagnostic) String() string {
	text := string(d.Severity) + ": " + d.Summary
	switch {
	case d.Address != "" && d.Path != "":
		text += " (" + d.Address + ", " + d.Path + ")"
	case d.Address+d.Path != "":
		text += " (" + d.Address + d.Path + ")"
	}
	if d.Detail != "" {
		text += "\n  " + strings.ReplaceAll(d.Detail, "\n", "\n  ")
	}
	return text
}

// Diagnostics are messages in the order in which they came, without duplicates.
type Diagnostics []Diagnostic

// Errors returns the errors.
func (d Diagnostics) Errors() Diagnostics { return d.of(Error) }

// Warnings returns the warnings.
func (d Diagnostics) Warnings() Diagnostics { return d.of(Warning) }

// HasErrors reports whether there is an error.
func (d Diagnostics) HasErrors() bool { return len(d.Errors()) > 0 }

// Find returns the messages whose summary contains text.
func (d Diagnostics) Find(text string) Diagnostics {
	return d.where(func(diagnostic Diagnostic) bool { return strings.Contains(diagnostic.Summary, text) })
}

// At returns the messages about an attribute, as in `parts["a"].text`.
func (d Diagnostics) At(path string) Diagnostics {
	return d.where(func(diagnostic Diagnostic) bool { return diagnostic.Path == path })
}

// String returns all messages, one after the other.
func (d Diagnostics) String() string {
	texts := make([]string, len(d))
	for i, diagnostic := range d {
		texts[i] = diagnostic.String()
	}
	return strings.Join(texts, "\n")
}

func (d Diagnostics) of(severity Severity) Diagnostics {
	return d.where(func(diagnostic Diagnostic) bool { return diagnostic.Severity == severity })
}

func (d Diagnostics) where(keep func(Diagnostic) bool) Diagnostics {
	var kept Diagnostics
	for _, diagnostic := range d {
		if keep(diagnostic) {
			kept = append(kept, diagnostic)
		}
	}
	return kept
}

// and returns the messages of both without duplicates, like the CLI.
func (d Diagnostics) and(more Diagnostics) Diagnostics {
	all := slices.Clone(d)
	for _, diagnostic := range more {
		if !slices.Contains(all, diagnostic) {
			all = append(all, diagnostic)
		}
	}
	return all
}

// report collects the messages of a walk, which may process several resources
// at a time.
type report struct {
	mutex sync.Mutex
	list  Diagnostics
	// left holds the objects that the provider has deferred, by address.
	left map[string]Object
}

func (r *report) leave(address string, planned Object) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.left == nil {
		r.left = map[string]Object{}
	}
	r.left[address] = planned
}

func (r *report) add(diagnostics ...Diagnostic) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.list = r.list.and(diagnostics)
}

func (r *report) all() Diagnostics {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.list)
}

// fromProtocol returns a provider's messages about an address, including the
// error of a failed call.
func fromProtocol(address string, messages []*tfprotov6.Diagnostic, err error) Diagnostics {
	var list Diagnostics
	for _, message := range messages {
		severity := Error
		if message.Severity == tfprotov6.DiagnosticSeverityWarning {
			severity = Warning
		}
		list = append(list, Diagnostic{
			Severity: severity,
			Address:  address,
			Summary:  message.Summary,
			Detail:   message.Detail,
			Path:     pathText(message.Attribute),
		})
	}
	if err != nil {
		list = append(list, failure(address, "Plugin error", "The plugin returned an unexpected error: %s", err))
	}
	return list
}

// failure is an error of the core's own.
func failure(address, summary, detail string, values ...any) Diagnostic {
	return Diagnostic{
		Severity: Error,
		Address:  address,
		Summary:  summary,
		Detail:   fmt.Sprintf(detail, values...),
	}
}
