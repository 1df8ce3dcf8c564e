package acctest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases/storetest"
)

// Book is the purchase log of a test: a file, or a store in memory that all
// machines share.
type Book struct {
	Name  string           // the value of purchase_log
	Store *storetest.Store // nil for a file
}

// NewFileBook returns a log in a file of this machine that does not exist yet.
func NewFileBook(t testing.TB) *Book {
	t.Helper()
	return &Book{Name: filepath.Join(t.TempDir(), "purchases.jsonl")}
}

// NewStoreBook returns a log in an empty store.
func (s *Service) NewStoreBook() *Book {
	b := &Book{Name: storetest.Address, Store: storetest.New()}
	s.options.OpenStore = b.Store.Open
	return b
}

// BookCopy is the content of a log at a moment.
type BookCopy struct {
	file    []byte
	objects map[int64][]byte
}

// Copy returns the content of the log.
func (b *Book) Copy() BookCopy {
	if b.Store != nil {
		return BookCopy{objects: b.Store.Objects()}
	}
	content, _ := os.ReadFile(b.Name) // the file may not exist yet
	return BookCopy{file: content}
}

// Kill ends all processes that write to a store, and returns the content of the
// log. For a file, Restore ends the processes, once they no longer write.
func (b *Book) Kill() BookCopy {
	if b.Store != nil {
		b.Store.Kill()
	}
	return b.Copy()
}

// Restore gives the log an earlier content.
func (b *Book) Restore(t testing.TB, had BookCopy) {
	t.Helper()
	if b.Store != nil {
		b.Store.Restore(had.objects)
		return
	}
	check.Must(t, os.WriteFile(b.Name, had.file, 0o600))
}

// Text returns all lines of the log.
func (b *Book) Text() string {
	if b.Store != nil {
		return b.Store.Text()
	}
	return string(b.Copy().file)
}

// Move returns the log for another machine: a copy of the file, or the same
// store.
func (b *Book) Move(t testing.TB) *Book {
	t.Helper()
	if b.Store != nil {
		return b
	}
	moved := NewFileBook(t)
	if content := b.Copy().file; content != nil {
		check.Must(t, os.WriteFile(moved.Name, content, 0o600))
	}
	return moved
}
