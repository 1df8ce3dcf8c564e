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

// CharacterPlans hold what this run's resources plan for each character, and
// what the run knows about each character.
type CharacterPlans struct {
	known, objects sync.Map
	createLocks    sync.Map // semaphores
}

// characterPart is a fact about a character: an object that a plan makes or
// ends, or the state of the character itself.
type characterPart struct{ id, name string }

// Facts about a character. The plan of one object records them, and the plans
// of other objects need them.
const (
	Images  = "images"
	LoRA    = "LoRA"
	Dataset = "dataset"
	// GeneratedDataset is a dataset whose request this apply has sent.
	GeneratedDataset = "generated dataset"
	// Gone means that a refresh has found the character gone. Ending means that
	// the plan deletes or replaces the character. Unknown means that an error has
	// reported that the character does not exist.
	Gone    = "gone"
	Ending  = "ending"
	Unknown = "unknown"
	// Managed means that a resource of the plan manages the character.
	Managed = "managed"
)

// Want records a configured text. It reports whether the text differs from the
// first recorded text.
func (p *CharacterPlans) Want(id, name string, text types.String) (different bool) {
	if text.IsNull() || text.IsUnknown() {
		return false
	}
	known, _ := p.known.LoadOrStore(characterPart{id, name}, text)
	first, _ := known.(types.String)
	return !framework.SameText(first, text.ValueStringPointer()).Equal(first)
}

// NoteMade records that an object makes something for a character. It reports
// whether the record is the first.
func (p *CharacterPlans) NoteMade(id, name string) (first bool) {
	_, known := p.known.LoadOrStore(characterPart{id, name}, true)
	return !known
}

// IsMade reports whether an object that was planned earlier has recorded the
// fact.
func (p *CharacterPlans) IsMade(id, name string) bool {
	_, made := p.known.Load(characterPart{id, name})
	return made
}

// Ends reports whether the plan, as far as it has got, ends a character, or a
// read has found the character gone. If a reference to such a character is
// unknown in the plan, it certainly means a different character.
func (p *CharacterPlans) Ends(id string) bool {
	return p.IsMade(id, Ending) || p.IsMade(id, Gone) || p.IsMade(id, Unknown)
}

// Note records an object of a character that this run has read or planned.
func (p *CharacterPlans) Note(id, object string) {
	if id != "" {
		p.objects.Store(characterPart{id, object}, true)
	}
}

// Objects returns the recorded objects of a character.
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

// LockCreate locks a kind of object of a character. A create holds the lock
// while it reads which objects the character has, and makes a new one.
func (p *CharacterPlans) LockCreate(ctx context.Context, id, name string) (unlock func(), err error) {
	known, _ := p.createLocks.LoadOrStore(characterPart{id, name}, semaphore.NewWeighted(1))
	mutex, _ := known.(*semaphore.Weighted)
	if mutex.Acquire(ctx, 1) != nil {
		return nil, wait.Ended(ctx)
	}
	return func() { mutex.Release(1) }, nil
}

// RefuseUnknown adds an error to a plan if the character certainly does not
// exist. does says what the object does for the character. It returns the
// capabilities that it has read. Only the error of the first object of the
// character tells everything.
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

// RefuseUnknownAtPlan calls RefuseUnknown for an object whose plan reads
// nothing else of its character. It sends one request for all objects of the
// character, and none if this run has read the character. An apply sends none,
// because the object's own request will tell.
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
// name is closest to wanted, because wanted may be mistyped or a name. It
// returns nothing if none is close.
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
