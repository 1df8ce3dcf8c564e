package acctest_test

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A team buys: with a key each, on machines of its own, with a plan every night.

const (
	otherGroup = "mediagen_generation_group.y"
	colleague  = "colleagues-api-key-0123"
)

// set changes settings of the provider block.
func (k *killing) set(settings core.Object) {
	k.T.Helper()
	all := core.Object{"purchase_log": k.log.Name}
	maps.Copy(all, settings)
	k.Set(all)
}

// night is a plan of every night, which changes nothing.
func (k *killing) night() { k.Plan() }

// groupAt is a group of one prompt at an address.
func (k *killing) groupAt(address string, config core.Object, options ...core.ResourceOption) {
	whole := core.Object{
		"character_id": "ada",
		"title":        "Portraits",
		"prompts":      core.Object{"a": core.Object{"prompt": "A"}},
	}
	maps.Copy(whole, config)
	k.Resource(address, whole, options...)
}

// What a killed run has bought is not bought again, whoever applies next and
// from wherever, after any number of plans. Fault F39.
func TestTeam_killedRun(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(k *killing){
		"another key": func(k *killing) {
			k.AddAPIKey(colleague, "")
			k.set(core.Object{"api_key": colleague})
		},
		"a token of no known owner": func(k *killing) {
			k.set(core.Object{"api_key": nil, "access_token": k.IssueToken("")})
		},
		"another name of the loopback": func(k *killing) {
			k.set(core.Object{"base_url": strings.Replace(k.URL, "localhost", "127.0.0.1", 1)})
		},
		"another title":      func(k *killing) { k.groupAt(killedGroup, core.Object{"title": "Others"}) },
		"another key of it":  func(k *killing) { k.group(nil, "b", "A") },
		"a plan every night": func(k *killing) { k.night(); k.night(); k.night() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, in := range books {
				for _, fault := range []mockserver.Fault{whileBatch, afterBatch} {
					k := in(newKilling(t, nil))
					k.groupAt(killedGroup, nil)
					k.killedBy(fault)
					next(k)
					k.refused()
					k.refused()
					key := "a"
					if name == "another key of it" {
						key = "b"
					}
					k.Import(killedGroup, fmt.Sprintf(`{%q:"gen_000001"}`, key)).Must()
					k.settles()
					k.wantBought(1, 0, 0)
				}
			}
		})
	}
}

// Another organization has bought something else. Fault F39.
func TestTeam_anotherOrganization(t *testing.T) {
	t.Parallel()
	variant := mockserver.Variants()["token-org-id"]
	k := newKilling(t, nil, func(o *mockserver.Options) { o.Variant = variant })
	k.AddOrganization(colleague, "org_theirs")
	k.groupAt(killedGroup, core.Object{"character_id": nil})
	k.killedBy(afterBatch)
	k.set(core.Object{"api_key": colleague})
	k.settles()
	k.wantBought(2, 0, 0)
}

// A state that is lost is guarded, however many plans have seen it before: that
// a state has something ends nothing. Fault F39.
func TestTeam_lostState(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(k *killing, older core.Snapshot){
		"state rm":     func(k *killing, _ core.Snapshot) { k.Forget(killedGroup) },
		"older backup": func(k *killing, older core.Snapshot) { k.Restore(older) },
	} {
		for plans := range 3 {
			t.Run(fmt.Sprintf("%s, %d plans", name, plans), func(t *testing.T) {
				t.Parallel()
				for _, in := range books {
					k := in(newKilling(t, nil))
					empty := k.Snapshot()
					k.groupAt(killedGroup, nil)
					k.settles()
					for range plans {
						k.night()
					}
					lose(k, empty)
					k.refused(`jsonencode({"a": "gen_000001"})`)
					for range plans {
						k.night()
					}
					k.refused()
					k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
					k.settles()
					k.wantBought(1, 0, 0)
				}
			})
		}
	}
}

// A title and a key are changed for nothing, and a lost state is known by those
// that it had last. Fault F39.
func TestTeam_lostStateOfAnotherName(t *testing.T) {
	t.Parallel()
	for name, rename := range map[string]func(k *killing){
		"another title": func(k *killing) { k.groupAt(killedGroup, core.Object{"title": "Others"}) },
		"no title":      func(k *killing) { k.groupAt(killedGroup, core.Object{"title": nil}) },
		"another key": func(k *killing) {
			k.groupAt(killedGroup, core.Object{"prompts": core.Object{"z": core.Object{"prompt": "A"}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.groupAt(killedGroup, nil)
			k.settles()
			rename(k)
			k.settles()
			k.night()
			k.Forget(killedGroup)
			k.refused("gen_000001")
			k.wantBought(1, 0, 0)
		})
	}
}

// An older state lacks what was bought since. Fault F39.
func TestTeam_olderState(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.group(nil, "a", "A")
	k.settles()
	older := k.Snapshot()
	k.group(nil, "a", "A", "b", "B")
	k.settles()
	k.night()
	k.Restore(older)
	k.refused(`"b" = "gen_000002"`, "terraform state rm", `jsonencode({"a": "gen_000001", "b": "gen_000002"})`)
	k.Forget(killedGroup)
	k.Import(killedGroup, `{"a":"gen_000001","b":"gen_000002"}`).Must()
	k.settles()
	k.wantBought(2, 0, 0)
}

// What a person has deleted at the service, of a lost state or of a killed run,
// is proven gone, and bought again. Fault F39.
func TestTeam_deletedByHand(t *testing.T) {
	t.Parallel()
	for name, killed := range map[string]bool{"of a lost state": false, "of a killed run": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.groupAt(killedGroup, nil)
			if killed {
				k.killedBy(afterBatch)
				k.refused() // which reads it
			} else {
				k.settles()
				k.Forget(killedGroup)
			}
			k.DeleteGenerationBehindTheBack("gen_000001")
			k.settles()
			k.wantBought(2, 0, 0)
			check.Contains(t, "the log", k.log.Text(), `"outcome":"gone"`)
		})
	}
}

// A replacement that creates first is killed after its batch: the plan says what
// was bought, and the cure works once. Fault F39.
func TestTeam_killedReplacement(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, nil, core.CreateBeforeDestroy())
	k.settles()
	reached := false
	k.Fault(mockserver.Fault{
		Route:   mockserver.RouteStatus,
		After:   mockserver.RouteBatch,
		Nth:     1,
		Reached: func() { reached = true; k.killNow() },
	})
	k.Apply(core.Replacing(killedGroup))
	k.ClearFaults()
	check.True(t, "it was killed", reached)
	k.endProcess()
	for range 2 {
		plan := k.Plan().Must()
		plan.WantEmpty()
		k.WantWarning(plan.Diagnostics, "Bought This Once More", "gen_000002", "terraform state rm", `"gen_000001"`)
	}
	said := k.Apply(core.Replacing(killedGroup)).Diagnostics.Errors()
	check.Contains(t, "the error", said.String(), anotherRun, "terraform state rm", "gen_000002")
	k.wantBought(2, 0, 0)
	k.Forget(killedGroup)
	k.Import(killedGroup, `{"a":"gen_000002"}`).Must()
	k.settles()
	k.WantSilent(k.Plan().Must().Diagnostics, "Bought This")
	k.Apply(core.Replacing(killedGroup)).Must()
	k.wantBought(3, 0, 0)
}

// Equal groups of a killed run are each told another purchase: who follows the
// messages has each in one place. Fault F39.
func TestTeam_oneEntryOneClaimant(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, core.Object{"wait_for_completion": false})
	k.groupAt(otherGroup, nil)
	before := k.Snapshot()
	k.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1, Reached: k.killNow})
	k.Apply()
	k.ClearFaults()
	k.endProcess()
	k.Restore(before)
	k.groupAt(killedGroup, nil)
	for _, said := range [][]core.Diagnostic{
		k.Plan().Must().Diagnostics.Warnings().Find(anotherRun),
		k.Apply().Diagnostics.Errors().Find(anotherRun),
	} {
		check.Equal(t, "messages", len(said), 2)
		told := map[string]bool{}
		for _, message := range said {
			told[importID(t, message.Detail)] = true
			k.Forget(message.Address)
		}
		check.Equal(
			t,
			"what they name",
			told,
			map[string]bool{`{"a": "gen_000001"}`: true, `{"a": "gen_000002"}`: true},
		)
	}
	for _, message := range k.Plan().Must().Diagnostics.Warnings().Find(anotherRun) {
		k.Import(message.Address, importID(t, message.Detail)).Must()
	}
	k.settles()
	k.wantBought(2, 0, 0)
	k.Destroy().Must()
	check.Equal(t, "generations that stand", len(k.Groups()), 0)
}

// importID is the id that a message names for an import.
func importID(t *testing.T, message string) string {
	t.Helper()
	_, after, found := strings.Cut(message, "jsonencode(")
	id, _, isWhole := strings.Cut(after, ")")
	if !found || !isWhole {
		t.Fatalf("the message names no import: %s", message)
	}
	return id
}

// What is bought as a plan has announced, and never refused after a deletion.
// Fault F39.
func TestTeam_innocentActs(t *testing.T) {
	t.Parallel()
	moved := func(k *killing) {
		k.Remove(killedGroup)
		k.groupAt(otherGroup, nil)
	}
	for name, test := range map[string]struct {
		act   func(k *killing)
		sends int // batches after the first
	}{
		"destroy and apply":  {func(k *killing) { k.Destroy().Must(); k.Apply().Must() }, 1},
		"renamed":            {func(k *killing) { moved(k); k.Apply().Must() }, 1},
		"renamed, and saved": {func(k *killing) { moved(k); k.ApplyPlan(k.Plan().Must()).Must() }, 1},
		"a clone":            {func(k *killing) { k.groupAt(otherGroup, nil); k.Apply().Must() }, 1},
		"up and down": {func(k *killing) {
			k.groupAt(otherGroup, nil)
			k.Apply().Must()
			k.Remove(otherGroup)
			k.Apply().Must()
			k.groupAt(otherGroup, nil)
			k.Apply().Must()
		}, 2},
		"replaced":   {func(k *killing) { k.Apply(core.Replacing(killedGroup)).Must() }, 1},
		"tainted":    {func(k *killing) { k.Taint(killedGroup); k.Apply().Must() }, 1},
		"no refresh": {func(k *killing) { k.Apply(core.Replacing(killedGroup), core.Refresh(false)).Must() }, 1},
		"create before destroy": {func(k *killing) {
			k.groupAt(killedGroup, nil, core.CreateBeforeDestroy())
			k.Apply(core.Replacing(killedGroup)).Must()
		}, 1},
		"tainted, create before destroy": {func(k *killing) {
			k.groupAt(killedGroup, nil, core.CreateBeforeDestroy())
			k.Taint(killedGroup)
			k.Apply().Must()
		}, 1},
		"back and forth": {func(k *killing) {
			k.group(nil, "a", "B")
			k.Apply().Must()
			k.group(nil, "a", "A")
			k.Apply().Must()
		}, 2},
		"back and forth, kept": {func(k *killing) {
			kept := core.Object{"deletion_policy": "keep"}
			k.group(kept, "a", "A")
			k.Apply().Must()
			k.group(kept, "a", "B")
			k.Apply().Must()
			k.group(kept, "a", "A")
			k.Apply().Must()
		}, 2},
		"take up and down": {func(k *killing) {
			for _, take := range []int64{2, 1} {
				prompts := core.Object{"a": core.Object{"prompt": "A", "take": take}}
				k.group(core.Object{"prompts": prompts})
				k.Apply().Must()
			}
		}, 2},
		"deleted by hand": {func(k *killing) { k.DeleteGenerationBehindTheBack("gen_000001"); k.Apply().Must() }, 1},
		"another title": {func(k *killing) {
			k.groupAt(otherGroup, core.Object{"title": "Others"})
			k.Apply().Must()
		}, 1},
		"kept, and created anew": {func(k *killing) {
			k.groupAt(killedGroup, core.Object{"deletion_policy": "keep"})
			k.Apply().Must()
			k.Destroy().Must()
			k.Apply().Must()
		}, 1},
	} {
		for _, nights := range []int{0, 2} {
			t.Run(fmt.Sprintf("%s, %d plans", name, nights), func(t *testing.T) {
				t.Parallel()
				for _, in := range books {
					k := in(newKilling(t, nil))
					k.groupAt(killedGroup, nil)
					k.Apply().Must()
					for range nights {
						k.night()
					}
					test.act(k)
					k.Clock.Advance(time.Hour)
					k.settles()
					k.wantBought(1+test.sends, 0, 0)
					for range nights {
						k.night()
					}
					k.Plan().Must().WantEmpty()
					k.WantSilent(k.Plan().Diagnostics, "Bought This")
				}
			})
		}
	}
}

// Where the lines of the plan are lost, as on a runner whose disk is gone, an
// apply does what the plan has shown of all that a state was ever known to have.
// Of what no plan has seen it deletes nothing that it then refuses.
// Fault F39.
func TestTeam_linesOfThePlanAreLost(t *testing.T) {
	t.Parallel()
	replaced := func(k *killing) *core.Plan { return k.Plan(core.Replacing(killedGroup)) }
	renamed := func(k *killing) *core.Plan {
		k.groupAt(otherGroup, nil)
		k.Remove(killedGroup)
		return k.Plan()
	}
	for name, plan := range map[string]func(k *killing) *core.Plan{
		"replaced": replaced,
		"replaced, create before destroy": func(k *killing) *core.Plan {
			k.groupAt(killedGroup, nil, core.CreateBeforeDestroy())
			return replaced(k)
		},
		"renamed": renamed,
	} {
		for _, nights := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s, %d plans", name, nights), func(t *testing.T) {
				t.Parallel()
				k := newKilling(t, nil)
				k.groupAt(killedGroup, nil)
				k.Apply().Must()
				for range nights {
					k.night()
				}
				k.left = k.log.Copy()
				saved := plan(k).Must()
				k.endProcess() // the lines of the plan are lost
				result := k.ApplyPlan(saved)
				stands := len(k.Groups())
				if nights > 0 {
					result.Must()
				}
				check.True(t, "something of it stands", stands > 0, result.Diagnostics)
				k.settles()
				if len(k.Ledger().Entries) == 1 { // it was refused, and a plan has seen it since
					k.Apply(core.Replacing(killedGroup)).Must()
				}
				k.wantBought(2, 0, 0)
			})
		}
	}
}

// An apply that has refused to buy for one object what another has does not
// delete the other. Fault F39.
func TestTeam_neverDeletedAndThenRefused(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, nil)
	k.Apply().Must()
	k.left = k.log.Copy()
	k.groupAt(otherGroup, nil)
	k.Remove(killedGroup)
	saved := k.Plan().Must()
	k.endProcess()
	k.CreatesFirst()
	said := k.ApplyPlan(saved).Diagnostics.Errors()
	check.Contains(t, "the errors", said.String(), anotherRun, "Not Deleted Beside What Was Refused", "moved {")
	check.Equal(t, "groups that stand", len(k.Groups()), 1)
	k.settles()
	k.wantBought(2, 0, 0)
}

// A prompt that failed is submitted again within max_attempts, and what is due
// stays so. Fault F39.
func TestTeam_failedPrompts(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.FailPrompt("fails", "no")
	for _, attempts := range []int64{3, 4} {
		k.group(core.Object{"max_attempts": attempts}, "a", "A fails", "b", "B")
		for range attempts {
			k.Apply().Must()
		}
		k.Plan().Must().WantEmpty()
		k.wantBought(int(attempts), 0, 0)
	}
}

// A renamed group without a moved block is bought as announced, and the plan
// says what would cost nothing, whichever of the two it sees first. Fault F39.
func TestTeam_renamedIsTold(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]core.PlanOption{"in order": nil, "reversed": {core.Reversed()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, nil)
			k.groupAt(killedGroup, nil)
			k.settles()
			k.Remove(killedGroup)
			k.groupAt(otherGroup, nil)
			plan := k.Plan(order...).Must()
			check.Contains(t, "the plan", plan.Diagnostics.String(), "moved {")
			k.ApplyPlan(plan).Must()
			k.settles()
			k.wantBought(2, 0, 0)
		})
	}
}

// One book is one state's: a second state on it is refused, and a book of its
// own is the way out. Fault F39.
func TestTeam_oneBookOneState(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, nil)
	k.settles()
	other := &killing{Scenario: k.Service.Scenario(t), log: k.log}
	other.set(nil)
	other.groupAt(killedGroup, nil)
	other.refused("a log of its own")
	other.log = acctest.NewFileBook(t)
	other.set(nil)
	other.settles()
	k.wantBought(2, 0, 0)
}

// An import block is in no state before its apply, and a backend that refuses
// the state leaves it there. Fault F39.
func TestTeam_importIsStored(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, nil)
	k.killedBy(afterBatch)
	before := k.Snapshot()
	k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
	k.Apply().Must()
	k.Restore(before) // nothing of it was stored
	k.refused()
	k.Import(killedGroup, `{"a":"gen_000001"}`).Must()
	k.settles()
	k.wantBought(1, 0, 0)
}

// The log of the build before has entries that end with the state that has
// them, and guards like any other as long as none has. Fault F39.
func TestTeam_logOfTheBuildBefore(t *testing.T) {
	t.Parallel()
	k := newKilling(t, nil)
	k.groupAt(killedGroup, nil)
	k.Apply().Must()
	var lines []string
	for line := range strings.Lines(k.log.Text()) {
		if !strings.Contains(line, `"returned"`) {
			before, rest, found := strings.Cut(line, `"object":"`)
			check.True(t, "the line names an object", found, line)
			_, after, _ := strings.Cut(rest, `",`)
			lines = append(lines, before+after)
		}
	}
	check.Must(t, os.WriteFile(k.log.Name, []byte(strings.Join(lines, "")), 0o600))
	held := k.Snapshot()
	k.Forget(killedGroup)
	k.refused()
	k.Restore(held)
	k.night()
	k.Forget(killedGroup)
	k.settles()
	k.wantBought(2, 0, 0)
}
