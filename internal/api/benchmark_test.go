package api_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// BenchmarkFindCharacter walks a list of 1,000 characters, and finds each.
func BenchmarkFindCharacter(b *testing.B) {
	s := newService(b, directory(1000, 100))
	for b.Loop() {
		client := s.client(b)
		for i := range 1000 {
			if found, _, err := client.FindCharacter(b.Context(), fmt.Sprintf("ch%d", i)); err != nil || found == nil {
				b.Fatal(found, err)
			}
		}
	}
}

// BenchmarkGenerations reads the statuses of 200 generations.
func BenchmarkGenerations(b *testing.B) {
	s := newService(b, always(200, good))
	client := s.client(b)
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = fmt.Sprintf("g%d", i)
	}
	for b.Loop() {
		for _, read := range client.Generations(b.Context(), ids) {
			check.Must(b, read.Err)
		}
	}
}
