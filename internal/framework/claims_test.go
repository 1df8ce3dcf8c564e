package framework_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	var claims framework.Claims
	if claims.IsClaimed("ada", "j2", framework.ByAnyone) || len(claims.Claimed("ada")) != 0 {
		t.Error("there is a claim from the start")
	}
	if !claims.Claim("ada", "j2", framework.ByState) || !claims.Claim("ada", "j1", framework.ByApply) {
		t.Error("a first claim is not called the first")
	}
	if claims.Claim("ada", "j2", framework.ByApply) {
		t.Error("a second claim is called the first")
	}
	for by, want := range map[framework.Claim]bool{framework.ByState: true, framework.ByApply: true, framework.ByPlan: false} {
		if got := claims.IsClaimed("ada", "j2", by); got != want {
			t.Errorf("claimed by %d is %t", by, got)
		}
	}
	if got := claims.Claimed("ada"); !slices.Equal(got, []string{"j1", "j2"}) {
		t.Errorf("claimed are %q", got)
	}
	if claims.IsClaimed("grace", "j2", framework.ByAnyone) {
		t.Error("a claim is another character's too")
	}
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
