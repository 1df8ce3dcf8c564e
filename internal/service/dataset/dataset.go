package dataset

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// propagationTimeout is how long a status may be that from before the start.
const propagationTimeout = 2 * time.Minute

// dataset is one dataset, during one operation of the resource.
type dataset struct {
	data    *framework.ProviderData
	model   datasetModel
	private datasetState
	// progress shows a wait to a person.
	progress *wait.Progress
}

// datasetState is a dataset's private state. The status that the service tells
// is the character's, and names no job.
type datasetState struct {
	api.Evidence
	// Before is the status before the start, and Started when that was sent. Both
	// are empty after an import.
	Before  *api.DatasetStatus `json:"before,omitempty"`
	Started time.Time          `json:"started,omitzero"`
	// Unconfirmed: it is not known what became of the start. Now is the last status.
	Unconfirmed bool               `json:"unconfirmed,omitempty"`
	Now         *api.DatasetStatus `json:"now,omitempty"`
	// Ended: a status has shown the end. Later ones are about what others do.
	Ended bool `json:"ended,omitempty"`
}

func loadDataset(
	ctx context.Context, data *framework.ProviderData, from framework.Getter, private framework.PrivateReader, _ framework.PrivateWriter, diags *diag.Diagnostics,
) *dataset {
	g := &dataset{data: data}
	g.progress = wait.NewProgress(data.Clock, g.statusLine, framework.LogProgress(ctx))
	diags.Append(from.Get(ctx, &g.model)...)
	diags.Append(framework.LoadPrivateState(ctx, private, &g.private)...)
	return g
}

// Parts implements framework.Work.
func (g *dataset) Parts() (model, private any) { return &g.model, &g.private }

// Common implements framework.Work.
func (g *dataset) Common() *framework.WorkModel { return &g.model.WorkModel }

// Object names the dataset in messages.
func (g *dataset) Object() string { return "dataset of " + framework.NameOf(g.model.CharacterID) }

// Summary implements framework.Work.
func (g *dataset) Summary(what string) string {
	return framework.Summary(what, "dataset", g.model.ID.ValueString(), "character "+g.characterID())
}

func (g *dataset) characterID() string { return g.model.CharacterID.ValueString() }

// NeedsWait implements framework.Work.
func (g *dataset) NeedsWait() bool {
	return g.model.IsAwaited() && !g.private.Ended && !g.private.Unconfirmed
}

// Order implements framework.Work.
func (g *dataset) Order() api.WorkOrder {
	request := api.DatasetRequest{UseDefaultPrompts: g.model.UseDefaultPrompts.ValueBoolPointer(), Triggers: framework.TriggerTexts(g.model.Triggers)}
	for _, prompt := range g.model.Prompts.Elements() {
		text, _ := prompt.(types.String)
		request.Prompts = append(request.Prompts, text.ValueString())
	}
	return request.Order(g.characterID())
}

// Prepare refuses a second dataset in a run, and one beside another.
func (g *dataset) Prepare(ctx context.Context) diag.Diagnostics {
	if g.data.Characters.IsMade(g.characterID(), framework.GeneratedDataset) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Generated Already", fmt.Sprintf(
			"Another resource has generated the %s in this run, and one is generated in a run: two would be told apart by nothing. Nothing was sent for this one, and nothing was bought. Remove one of the resources.", g.Object()))}
	}
	before, err := g.data.Client.DatasetStatus(ctx, g.characterID())
	if err != nil {
		return diag.Diagnostics{g.NotStarted("Read", "Dataset Status", err)}
	}
	if before.IsRunning() {
		g.model.statusFromAPI(before)
		return diag.Diagnostics{g.runningError()}
	}
	g.private.Evidence, g.private.Before = g.data.Client.Seen(g.private.Evidence), before
	g.model.limitsFromAPI(before)
	return nil
}

// Record implements framework.Work.
func (g *dataset) Record(ctx context.Context, receipt *api.Receipt, err error, sent time.Time) diag.Diagnostics {
	g.private.Started = sent
	g.data.Characters.Makes(g.characterID(), framework.GeneratedDataset)
	if err != nil {
		return diag.Diagnostics{g.recordUnconfirmed(ctx, err)}
	}
	g.model.ID = types.StringPointerValue(receipt.JobID)
	if g.model.ID.ValueString() == "" {
		g.model.ID = framework.UnconfirmedID()
	}
	g.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
	return framework.OddReceipt(g.Object(), receipt.CreditsDeducted, receipt.Assumed, receipt.BeyondReason, g.Summary)
}

// runningError refuses to generate a dataset beside another.
func (g *dataset) runningError() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Is Being Generated", fmt.Sprintf(
		"A %s is being generated (%s). What a second one does to it is not documented. Nothing was bought. Apply again once it has ended; or import it, to manage it without generating another.", g.Object(), g.describe()))
}

// NotStarted is a failure that is known not to have generated anything, as far as the
// service says.
func (g *dataset) NotStarted(verb, noun string, err error) diag.Diagnostic {
	fields := map[string]path.Path{"prompts": path.Root("prompts"), "use_default_prompts": path.Root("use_default_prompts")}
	return framework.NotBought(framework.Failure{Verb: verb, Noun: noun, Fields: fields}, &g.model.WorkModel, "No dataset was generated", err)
}

// recordUnconfirmed records a start of which it is not known what became. One read
// tells a person what the status shows now.
func (g *dataset) recordUnconfirmed(ctx context.Context, cause error) diag.Diagnostic {
	g.model.ID, g.model.Status, g.private.Unconfirmed = framework.UnconfirmedID(), types.StringValue("unconfirmed"), true
	g.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := g.data.Client.DatasetStatus(ctx, g.characterID())
		if err == nil {
			g.take(status)
		}
		return err
	})
	return g.unconfirmedWarning(g.data.Unanswered(cause))
}

// unconfirmedWarning says what the status shows, which names no job, and the two ways
// out.
func (g *dataset) unconfirmedWarning(what string) diag.Diagnostic {
	lines := framework.ImportLines(framework.Quote(framework.ImportID(g.characterID(), "JOB_ID")))
	return diag.NewWarningDiagnostic(g.Summary("Dataset Unconfirmed"), fmt.Sprintf(
		"The request to generate a dataset of character %q %s. It is recorded as %q and not sent again by itself. The status names no job: before the request it was %s, and it is %s now.\n\n"+
			"If the dataset is this one, import it in place of this resource, which generates nothing (no JOB_ID is checked):\n\n%s\n\nElse change triggers to generate it again, which may cost credits.",
		g.characterID(), what, g.model.ID.ValueString(), describe(g.private.Before), describe(g.private.Now), lines))
}

// take takes over a status.
func (g *dataset) take(status *api.DatasetStatus) {
	g.private.Evidence = g.data.Client.Seen(g.private.Evidence)
	if g.private.Unconfirmed {
		g.private.Now = status // that of somebody else's dataset, perhaps
		return
	}
	g.model.statusFromAPI(status)
	if status.Phase() != api.Running {
		isSince := g.private.Before == nil || status.IsSince(g.private.Before)
		g.private.Ended = g.private.Ended || isSince || g.data.Clock.Now().Sub(g.private.Started) >= propagationTimeout
	}
}

// find reads the character's status, and judges whether the character is gone.
func (g *dataset) find(ctx context.Context, last api.Evidence) (status *api.DatasetStatus, existence api.Existence, failure, err error) {
	existence, failure, err = g.data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		status, failure = g.data.Client.DatasetStatus(ctx, g.characterID())
		return failure
	})
	return status, existence, failure, err
}

// Refresh takes over the character's status.
func (g *dataset) Refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (api.Existence, error) {
	status, existence, failure, err := g.find(ctx, g.private.Evidence)
	switch {
	case existence == api.NotYetSeen:
		return existence, failure // what is imported must exist, and one that was made here had a status
	case err != nil || existence == api.Gone:
		return existence, err
	case imported && !g.private.Shown && status.IsNone():
		diags.AddError("Dataset Not Found", fmt.Sprintf(
			"The service shows no image in the %s, and none that is being generated. Nothing was imported.", g.Object()))
	default:
		g.take(status)
	}
	return existence, nil
}

// AwaitEnd waits, if the configuration says so, and says how the wait has ended.
// That is no error: the dataset may be paid for, and an error would have it
// generated again.
func (g *dataset) AwaitEnd(ctx context.Context) (diags diag.Diagnostics) {
	if !g.NeedsWait() {
		return nil
	}
	schedule := wait.Schedule{First: 1500 * time.Millisecond, Shortest: 10 * time.Second, Longest: 5 * time.Minute}
	err := wait.Poll(ctx, g.data.Clock, g.data.Polls.Limit(schedule.Next), g.progress, func(ctx context.Context) (bool, error) {
		status, existence, failure, err := g.find(ctx, g.private.AsShown())
		switch {
		case err != nil:
			return false, err
		case existence == api.Gone:
			return false, failure
		}
		g.take(status)
		return g.private.Ended, nil
	})
	g.progress.Say(g.statusLine())
	switch {
	case err != nil:
		diags.Append(framework.EndedEarly(err, "Dataset", "Being Generated", fmt.Sprintf("%s (%s)", g.Object(), g.describe()), framework.Resumes))
	case g.hasFailed():
		diags.AddWarning(g.Summary("Dataset Failed"), g.describeFailure())
	}
	return diags
}

// hasFailed is about the dataset that the character has now: another one may
// have followed.
func (g *dataset) hasFailed() bool {
	phase := api.PhaseOfWord(g.model.Status.ValueString())
	return g.private.Ended && (phase == api.Failed || phase == api.Stopped)
}

func (g *dataset) describeFailure() string {
	return fmt.Sprintf("The %s was not generated: %s. What that cost is not known. Change the triggers of its resource to generate it again, which may cost credits.", g.Object(), g.describe())
}

// describe says what the last status has shown.
func (g *dataset) describe() string {
	if g.private.Now != nil {
		return describe(g.private.Now)
	}
	return describe(&api.DatasetStatus{Word: g.model.Status.ValueStringPointer(), TotalImages: g.model.TotalImages.ValueInt64Pointer()})
}

func describe(status *api.DatasetStatus) string {
	if status == nil {
		return "not read"
	}
	var parts []string
	if status.Word != nil {
		parts = append(parts, fmt.Sprintf("status %q", *status.Word))
	}
	if status.TotalImages != nil {
		parts = append(parts, framework.Plural(int(*status.TotalImages), "image", "images"))
	}
	if len(parts) == 0 {
		return "no status yet"
	}
	return strings.Join(parts, ", ")
}

// statusLine is the progress, for a person.
func (g *dataset) statusLine() string {
	return fmt.Sprintf("Dataset of character %q: %s", g.characterID(), g.describe())
}
