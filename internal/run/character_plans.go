package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/sync/semaphore"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// CharacterPlans hold what the resources of this run plan for each character,
// or know of it.
type CharacterPlans struct {
	known, objects sync.Map
	createLocks    sync.Map // semaphores
}

// characterPart is something of a character: what a plan makes or ends, or the
// state of the character itself.
type characterPart struct{ id, name string }

// What the plan of one object makes for a character, and those of others need.
const (
	Images  = "images"
	LoRA    = "LoRA"
	Dataset = "dataset"
	// GeneratedDataset is one whose request this apply has sent.
	GeneratedDataset = "generated dataset"
	// Gone, Ending and Unknown are not made: a refresh has found the
	// character gone, the plan deletes it or makes another in its place, or an
	// error has told that there is none.
	Gone    = "gone"
	Ending  = "ending"
	Unknown = "unknown"
	// Managed is not made either: a resource of the plan is of the character.
	Managed = "managed"
)

// Want records a configured text, and reports whether the first one that was
// recorded is different.
func (p *CharacterPlans) Want(id, name string, text types.String) (different bool) {
	if text.IsNull() || text.IsUnknown() {
		return false
	}
	known, _ := p.known.LoadOrStore(characterPart{id, name}, text)
	first, _ := known.(types.String)
	return !framework.SameText(first, text.ValueStringPointer()).Equal(first)
}

// NoteMade records that an object makes something for a character, and whether
// it is the first.
func (p *CharacterPlans) NoteMade(id, name string) (first bool) {
	_, known := p.known.LoadOrStore(characterPart{id, name}, true)
	return !known
}

// IsMade reports whether an object that was planned before makes it.
func (p *CharacterPlans) IsMade(id, name string) bool {
	_, made := p.known.Load(characterPart{id, name})
	return made
}

// Ends reports whether the plan ends a character, as far as it has got, or a
// read has found it gone. A reference that was to it, and is unknown, is
// certainly to another one.
func (p *CharacterPlans) Ends(id string) bool {
	return p.IsMade(id, Ending) || p.IsMade(id, Gone) || p.IsMade(id, Unknown)
}

// Note records an object of a character that this run has read or planned.
func (p *CharacterPlans) Note(id, object string) {
	if id != "" {
		p.objects.Store(characterPart{id, object}, true)
	}
}

// Objects returns those that are recorded so far.
func (p *CharacterPlans) Objects(id string) (objects []string) {
	p.objects.Range(func(part, _ any) bool {
		if part, _ := part.(characterPart); part.id == id {
			objects = append(objects, part.name)
		}
		return true
	})
	slices.Sort(objects)
	return objects
}

// LockCreate is held by a create while it reads what a character has, and makes
// something for it.
func (p *CharacterPlans) LockCreate(ctx context.Context, id, name string) (unlock func(), err error) {
	known, _ := p.createLocks.LoadOrStore(characterPart{id, name}, semaphore.NewWeighted(1))
	mutex, _ := known.(*semaphore.Weighted)
	if mutex.Acquire(ctx, 1) != nil {
		return nil, wait.Ended(ctx)
	}
	return func() { mutex.Release(1) }, nil
}

// RefuseUnknown adds an error to the plan of what an object does for a
// character that certainly does not exist, and returns what was read of it. The
// first object with its id tells all.
func (d *ProviderData) RefuseUnknown(
	ctx context.Context,
	id, does string,
	diags *diag.Diagnostics,
) (*api.Capabilities, evidence.Existence) {
	capabilities, existence := d.Client.Characters.TryCapabilities(ctx, id)
	if existence != evidence.Gone || d.Characters.IsMade(id, Gone) {
		return capabilities, existence
	}
	if d.Characters.NoteMade(id, Unknown) {
		diags.Append(noCharacter(id, does, d.Client.Characters.Listed()))
	} else {
		diags.Append(noCharacterAgain(id))
	}
	return nil, evidence.Gone
}

// RefuseUnknownAtPlan is RefuseUnknown for an object whose plan reads nothing else of
// its character: it asks once for all objects of the character, and not if this run has
// read it. An apply asks by the request itself.
func (d *ProviderData) RefuseUnknownAtPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	character types.String,
	does string,
	diags *diag.Diagnostics,
) {
	id := character.ValueString()
	isAsked := id != "" && d.Known() && !diags.HasError()
	if isAsked && !d.CommandOf(req).PlansInApply() && !d.Client.Characters.IsKnown(id) {
		d.RefuseUnknown(ctx, id, does, diags)
	}
}

// SimilarCharacter returns a sentence with the id of the character whose id or
// name is closest to wanted, or nothing if none is close: an id may be
// mistyped, or be a name.
func SimilarCharacter(wanted string, listed []api.Character) string {
	closest := ""
	limit := 1 + len([]rune(wanted))/5
	for _, character := range listed {
		for _, text := range []*string{&character.ID, character.Name} {
			if text == nil {
				continue
			}
			if edits := levenshtein.Distance(strings.ToLower(wanted), strings.ToLower(*text), nil); edits <= limit {
				closest = fmt.Sprintf("\n\nA similar character is %q.", character.ID)
				limit = edits - 1
			}
		}
	}
	return closest
}
