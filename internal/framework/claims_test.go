package framework_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	var claims framework.Claims
	check.True(t, "there is no claim at first", !claims.IsClaimed("ada", "j2", framework.ByAnyone) && len(claims.Claimed("ada")) == 0)
	check.True(t, "a first claim is called the first", claims.Claim("ada", "j2", framework.ByState) && claims.Claim("ada", "j1", framework.ByApply))
	check.True(t, "a second claim is not called the first", !claims.Claim("ada", "j2", framework.ByApply))
	for by, want := range map[framework.Claim]bool{framework.ByState: true, framework.ByApply: true} {
		if got := claims.IsClaimed("ada", "j2", by); got != want {
			t.Errorf("claimed by %d is %t", by, got)
		}
	}
	check.Equal(t, "claimed", claims.Claimed("ada"), []string{"j1", "j2"})
	check.True(t, "a claim is of one character", !claims.IsClaimed("grace", "j2", framework.ByAnyone))
}

func TestOneClaimIsTheFirst(t *testing.T) {
	t.Parallel()
	var claims framework.Claims
	var first atomic.Int64
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if claims.Claim("ada", "j1", framework.ByState) {
				first.Add(1)
			}
		})
	}
	if group.Wait(); first.Load() != 1 {
		t.Errorf("%d claims were the first", first.Load())
	}
}

func TestOneCreateOfACharacterAtATime(t *testing.T) {
	t.Parallel()
	var claims framework.Claims
	ada := claims.CreateMutex("ada")
	check.Must(t, ada.Lock(t.Context()))
	check.Equal(t, "another create has the same mutex", claims.CreateMutex("ada") == ada, true)
	if err := claims.CreateMutex("grace").Lock(t.Context()); err != nil {
		t.Errorf("another character's create: %s", err)
	}
}

// atOnce does each of these again and again, and all at the same time: the race
// detector sees what they share and nothing guards.
func atOnce(acts ...func()) {
	var group sync.WaitGroup
	for range 4 {
		for _, act := range acts {
			group.Go(func() {
				for range 50 {
					act()
				}
			})
		}
	}
	group.Wait()
}

func TestClaimsOfObjectsThatAreReadAtOnce(t *testing.T) {
	t.Parallel()
	var claims framework.Claims
	atOnce(
		func() { claims.Claim("ada", "j1", framework.ByApply) }, func() { claims.IsClaimed("ada", "j1", framework.ByAnyone) },
		func() { claims.Claimed("ada") }, func() { claims.CreateMutex("ada") },
	)
}
