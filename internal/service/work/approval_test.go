package work_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const approved = "mediagen_dataset_approval.a"

// approving is a character with a complete dataset of five images, none of them
// approved, and a workspace that approves the first three.
type approving struct {
	making
	images []string
}

func newApproving(t *testing.T, change ...func(*mockserver.Options)) approving {
	t.Helper()
	a := approving{making: newMaking(t, change...)}
	a.Remove(generated)
	a.GenerateDatasetElsewhere(a.character, "a", "b", "c", "d", "e")
	a.Clock.Advance(time.Hour)
	for _, image := range a.DatasetImages(a.character) {
		a.images = append(a.images, image.ID)
	}
	a.approves(3, nil)
	return a
}

// approves configures the approval of the first images.
func (a approving) approves(first int, more core.Object) {
	a.T.Helper()
	ids := []any{}
	for _, id := range a.images[:first] {
		ids = append(ids, id)
	}
	config := core.Object{"character_id": a.character, "image_ids": ids}
	maps.Copy(config, more)
	a.Resource(approved, config)
}

// set changes an approval elsewhere.
func (a approving) set(image int, is bool) {
	a.SetDatasetImage(a.character, a.images[image], func(image *mockserver.DatasetImage) { image.Approved = is })
}

// refuses lets the service refuse the next change of an image's approval.
func (a approving) refuses(image int) {
	a.Fault(mockserver.Fault{
		Route:  mockserver.RouteApproval,
		About:  a.images[image],
		Times:  1,
		Status: 400,
		Body:   `{"error":"invalid"}`,
	})
}

// wantApproved checks which images are approved, as in "11100".
func (a approving) wantApproved(want string) {
	a.T.Helper()
	got := ""
	for _, image := range a.DatasetImages(a.character) {
		got += map[bool]string{true: "1", false: "0"}[image.Approved]
	}
	check.Equal(a.T, "approved", got, want)
}

// wantSent checks how many approvals were sent since the journal was reset, of
// images and of the dataset, and that the plan is empty.
func (a approving) wantSent(images, datasets int) {
	a.T.Helper()
	a.WantCount(a.T, mockserver.RouteApproval, images)
	a.WantCount(a.T, mockserver.RouteApproveDataset, datasets)
	a.ClearFaults()
	a.Plan().Must().WantEmpty()
}

// Only images whose approval differs get a request.
func TestApprovalSendsWhatDiffers(t *testing.T) {
	t.Parallel()
	a := newApproving(t)
	a.set(1, true)
	a.set(4, true) // of another: left alone
	plan := a.Plan().Must()
	check.True(t, "no word", len(plan.Diagnostics) == 0, plan)
	a.ApplyPlan(plan).Must()
	a.wantApproved("11101")
	a.WantCount(t, mockserver.RouteDataset, 1)
	a.wantSent(2, 0)

	a.approves(4, nil)
	a.ResetJournal()
	a.Apply().Must()
	a.wantApproved("11111")
	a.wantSent(1, 0)

	a.approves(1, nil)
	a.ResetJournal()
	a.Apply().Must()
	a.wantApproved("11001")
	a.wantSent(2, 0)

	a.set(0, false)
	a.ResetJournal()
	check.Equal(t, "the plan", a.Plan().Must().Action(approved), core.Update)
	a.WantCount(t, mockserver.RouteDataset, 1)
	a.Apply().Must()
	a.wantApproved("11001")
	a.wantSent(1, 0)

	a.ResetJournal()
	a.Destroy().Must()
	a.wantApproved("01001")
	a.WantCount(t, mockserver.RouteApproval, 1)
}

// An approval that somebody gave before the create or the import is not
// withdrawn, whichever way it leaves the state, and one that was given again is
// ours.
func TestApprovalsOfOthersStay(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(approving){
		"before a create":  func(approving) {},
		"before an import": func(a approving) { a.Import(approved, a.character).Must() },
	}, func(t *testing.T, begin func(approving)) {
		a := newApproving(t)
		a.set(0, true)
		a.set(1, true)
		begin(a)
		a.Apply().Must()
		a.wantApproved("11100")
		a.approves(1, nil)
		a.Apply().Must()
		a.wantApproved("11000")
		a.ResetJournal()
		a.Destroy().Must()
		a.wantApproved("11000")
		a.WantCount(t, mockserver.RouteApproval, 0)
	})
	t.Run("an import of more than is configured", func(t *testing.T) {
		t.Parallel()
		a := newApproving(t)
		for i := range 5 {
			a.set(i, true)
		}
		a.Import(approved, a.character).Must()
		a.Apply().Must()
		a.wantApproved("11111")
		a.wantSent(0, 0)
	})
}

func TestApprovalIsFinal(t *testing.T) {
	t.Parallel()
	a := newApproving(t)
	a.approves(3, core.Object{"approve": true})
	a.Apply().Must()
	a.approves(3, core.Object{"approve": false})
	errors := a.Plan().Diagnostics.Errors()
	check.True(
		t,
		"an error at approve",
		len(errors) == 1 && errors[0].Path == "approve" && errors[0].Summary == "Approval of a Dataset Is Final",
		errors,
	)
	a.approves(3, core.Object{"approve": true})
	a.wantSent(3, 1)
	character, _ := a.Character(a.character)
	check.Equal(t, "the dataset", character.DatasetStatus, "approved")
	other := a.AddCharacter(mockserver.CharacterSeed{Name: "Eve", DatasetStatus: "not_started"})
	a.approves(0, core.Object{"character_id": other})
	check.Equal(t, "another character's is not", a.Plan().Must().Action(approved), core.Replace)
}

// What cannot be approved is an error that says why; the images stay approved,
// and the next apply goes on.
func TestApprovalOfAnUnreadyDataset(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]bool{"create": false, "update": true}, func(t *testing.T, created bool) {
		a := newApproving(t)
		a.approves(1, nil)
		if created {
			a.Apply().Must()
		}
		a.approves(2, core.Object{"approve": true})
		a.WantError(a.Apply().Diagnostics, "Dataset Cannot Be Approved", "approved images 2, needed 3 to 30")
		a.wantApproved("11000")
		check.True(
			t,
			"untainted, and not approved",
			!a.Tainted(approved) && (!created || a.Value(approved, "approve") == false),
			a.State(approved),
		)
		a.approves(3, core.Object{"approve": true})
		a.Apply().Must()
		a.wantApproved("11100")
		a.wantSent(3, 1)
	})
}

// An approval whose reply is lost is looked for, and never sent again while it
// may have been given. Fault F4.
func TestApprovalWhoseReplyIsLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault mockserver.Fault
		done  bool
	}{
		"done, connection dropped": {mockserver.Fault{DropAfterWork: true}, true},
		"done, 500":                {mockserver.Fault{Status: 500, AfterWork: true}, true},
		"not done, 500":            {mockserver.Fault{Status: 500}, false},
	} {
		for _, words := range []string{"plain", "words-unknown"} {
			t.Run(name+", "+words, func(t *testing.T) {
				t.Parallel()
				a := newApproving(t, func(o *mockserver.Options) { o.Variant = mockserver.Variants()[words] })
				a.approves(3, core.Object{"approve": true})
				fault := test.fault // a copy: the test of the other words has it too
				fault.Route = mockserver.RouteApproveDataset
				fault.Nth = 1
				a.Fault(fault)
				result := a.Apply()
				if test.done {
					a.WantWarning(
						result.Diagnostics,
						"Approval of Dataset Found Without an Answer",
						"Nothing was sent twice",
					)
					a.wantSent(3, 1)
					return
				}
				a.WantError(result.Diagnostics, "Unable to Approve Dataset", "applying again finds out")
				a.Apply().Must()
				a.wantSent(3, 2)
			})
		}
	}
}

// A dataset that is approved already, as by a reply that was lost, needs no
// request.
func TestApprovalOfAnApprovedDataset(t *testing.T) {
	t.Parallel()
	a := newApproving(t)
	for i := range 3 {
		a.set(i, true)
	}
	a.ApproveDatasetElsewhere(a.character)
	a.approves(3, core.Object{"approve": true})
	a.Apply().Must()
	a.wantSent(0, 0)

	plan := a.Plan(core.Destroying()).Must()
	a.WantWarning(
		plan.Diagnostics,
		"Dataset Approvals Will Be Forgotten",
		"Nothing takes back the approval",
	)
	a.ApplyPlan(plan).Must()
	a.WantCount(t, mockserver.RouteApproval, 0)
}

// What fails is an error, as what the deployment lacks is, and the next apply
// goes on. Fault F13b.
func TestApprovalThatFails(t *testing.T) {
	t.Parallel()
	type row struct {
		route, says, at string
		fault           mockserver.Fault
	}
	check.Each(t, map[string]row{
		"an image": {
			mockserver.RouteApproval,
			"Unable to Approve Dataset Image",
			"",
			mockserver.Fault{After: mockserver.RouteApproval, Times: 1, Status: 400, Body: `{"error":"invalid"}`},
		},
		"no credits": {
			mockserver.RouteApproveDataset,
			"Not Enough Credits (402)",
			"",
			mockserver.Fault{Status: 402, Body: `{"error":"no_credits"}`},
		},
		"not a success": {
			mockserver.RouteApproveDataset,
			"Unable to Approve Dataset",
			"",
			mockserver.Fault{Status: 200, Body: `{"success":false,"message":"busy"}`},
		},
		"not readable": {
			mockserver.RouteDataset,
			"Unable to Read Dataset Images",
			"",
			mockserver.Fault{Status: 403, Body: `{"error":"forbidden"}`},
		},
		"no such status": {
			mockserver.RouteDatasetStatus,
			"Unable to Approve Dataset",
			"",
			mockserver.Fault{Status: 501, Body: `{"error":"no"}`},
		},
	}, func(t *testing.T, test row) {
		a := newApproving(t)
		a.approves(3, core.Object{"approve": true})
		test.fault.Route = test.route
		a.Fault(test.fault)
		a.WantError(a.Apply().Diagnostics, test.says)
		check.True(t, "nothing is in the state", a.State(approved) == nil)
		a.ClearFaults()
		a.Apply().Must()
		a.wantApproved("11100")
		a.Plan().Must().WantEmpty()
	})
	for status, fault := range mockserver.MissingRoute() {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			a := newApproving(t)
			a.approves(3, core.Object{"approve": true})
			fault.Route = mockserver.RouteApproveDataset
			a.Fault(fault)
			a.WantError(a.Apply().Diagnostics, "Unable to Approve", "This deployment does not offer")
		})
	}
}

// What was done before an update fails is in the state.
func TestApprovalThatFailsInPart(t *testing.T) {
	t.Parallel()
	a := newApproving(t)
	a.Apply().Must()
	a.approves(5, nil)
	a.refuses(4)
	a.WantError(a.Apply().Diagnostics, "Unable to Approve Dataset Image", "applying again goes on")
	got, _ := a.Value(approved, "image_ids").([]any)
	check.Equal(t, "images in the state", len(got), 4)
	a.ResetJournal()
	a.ClearFaults()
	a.Apply().Must()
	a.wantSent(1, 0)
	a.approves(1, nil)
	a.refuses(2)
	a.WantError(a.Apply().Diagnostics, "Unable to Withdraw Approval of Dataset Image")
	a.ClearFaults()
	a.Apply().Must()
	a.wantApproved("10000")
}

// Fault F8.
func TestApprovalsAreWithdrawn(t *testing.T) {
	t.Parallel()
	t.Run("in two goes", func(t *testing.T) {
		t.Parallel()
		a := newApproving(t)
		a.Apply().Must()
		a.ResetJournal()
		a.refuses(1)
		a.WantError(a.Destroy().Diagnostics, "Unable to Withdraw Approval of Dataset Image")
		a.ClearFaults()
		a.Destroy().Must()
		a.wantApproved("00000")
		a.WantCount(t, mockserver.RouteApproval, 4)
	})
	t.Run("of a dataset that was approved elsewhere", func(t *testing.T) {
		t.Parallel()
		a := newApproving(t)
		a.Apply().Must()
		a.ApproveDatasetElsewhere(a.character)
		a.wantSent(3, 0)
		a.WantWarning(a.Destroy().Diagnostics, "Approvals of Images Left")
		a.wantApproved("11100")
	})
	t.Run("of nobody", func(t *testing.T) {
		t.Parallel()
		a := newApproving(t)
		a.Apply().Must()
		a.RemoveCharacter(a.character)
		a.Apply(core.Destroying(), core.Refresh(false)).Must()
	})
	t.Run("unreadable", func(t *testing.T) {
		t.Parallel()
		a := newApproving(t)
		a.Apply().Must()
		a.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Status: 403, Body: `{"error":"forbidden"}`})
		a.WantError(a.Apply(core.Destroying(), core.Refresh(false)).Diagnostics, "Unable to Read Dataset Images")
		check.True(t, "it is in the state", a.State(approved) != nil)
	})
}

// An image that the list lacks stays as it is, with a warning; its approval is
// not withdrawn from what is gone.
func TestApprovalOfAnImageThatIsGone(t *testing.T) {
	t.Parallel()
	a := newApproving(t)
	a.Apply().Must()
	gone := a.images[2]
	a.Fault(mockserver.Fault{Route: mockserver.RouteDataset, Rewrite: func(list map[string]any) {
		list["images"] = append([]any{}, list["images"].([]any)[:2]...)
		list["total"] = 2.0
	}})
	plan := a.Plan().Must()
	plan.WantEmpty()
	a.WantWarning(plan.Diagnostics, "Approved Image Not Shown", gone)
	a.approves(2, nil)
	a.Fault(mockserver.Fault{Route: mockserver.RouteApproval, Status: 404, Body: `{"error":"not_found"}`})
	a.Apply().Must()
	a.Plan().Must().WantEmpty()
}

func TestApprovalImports(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(approving) *core.Result{
		"by id": func(a approving) *core.Result { return a.Import(approved, a.character) },
		"by identity": func(a approving) *core.Result {
			return a.ImportIdentity(approved, core.Object{"character_id": a.character})
		},
	}, func(t *testing.T, adopt func(approving) *core.Result) {
		a := newApproving(t)
		for i := range 3 {
			a.set(i, true)
		}
		a.ApproveDatasetElsewhere(a.character)
		adopt(a).Must()
		a.approves(3, core.Object{"approve": true})
		a.wantSent(0, 0)
	})
	a := newApproving(t)
	a.WantError(a.Import(approved, "..").Diagnostics, "Invalid Import Id")
	a.WantError(a.Import(approved, "nobody").Diagnostics, "Unable to Read Dataset Approval")
}

// That a body LoRA cannot be trained yet is no wonder before its dataset is
// approved in the same apply.
func TestTrainingAfterAnApproval(t *testing.T) {
	t.Parallel()
	a := newApproving(
		t,
		func(o *mockserver.Options) { o.Variant = mockserver.ExtendedVariants()["body-needs-dataset"] },
	)
	const training = "mediagen_body_lora_training.t"
	a.WantWarning(
		a.Plans(training, core.Object{"character_id": a.character}, core.DependsOn(approved)).Diagnostics,
		"Body LoRA Training Cannot Start Yet",
	)
	a.approves(3, core.Object{"approve": true})
	plan := a.Plan().Must()
	a.WantWarning(plan.Diagnostics, "Approval of a Dataset Is Final")
	check.True(t, "one warning", len(plan.Diagnostics) == 1, plan.Diagnostics)
	a.ApplyPlan(plan).Must()
	a.Want(training, core.Object{"succeeded": true})
	a.Plan().Must().WantEmpty()
}
