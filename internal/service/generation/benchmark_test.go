package generation_test

import (
	"fmt"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// BenchmarkGroup_oneMore plans and applies one more prompt in a group.
func BenchmarkGroup_oneMore(b *testing.B) {
	for _, n := range []int{100, 2000} {
		s := scenario{acctest.NewScenario(b, func(o *mockserver.Options) { o.GenerationTime, o.Balance = -1, 1e9 })}
		s.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
		s.many(n)
		s.Apply().Must()
		more := n
		b.Run(fmt.Sprintf("plan/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			s.many(n + 1)
			for b.Loop() {
				s.Plan().Must()
			}
		})
		b.Run(fmt.Sprintf("apply/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				more++
				s.many(more)
				s.Apply().Must()
			}
		})
	}
}
