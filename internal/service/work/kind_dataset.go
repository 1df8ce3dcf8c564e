package work

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var datasetTimeouts = framework.Timeouts{"create": time.Hour, "update": time.Hour}

// datasets describes datasets. An import names a job, but nothing shows whether
// that job made the dataset.
var datasets = &kind[*dataset]{
	words: words{
		noun:      "Dataset",
		name:      "dataset",
		start:     "Generate",
		none:      "No dataset was generated",
		takesOver: "prompts and triggers",
		done:      "generated",
		again:     "generate with them, which may cost credits",
		fields: map[string]path.Path{
			"prompts":             path.Root("prompts"),
			"use_default_prompts": path.Root("use_default_prompts"),
		},
	},
	typeName: "dataset",
	buys:     purchases.KindDataset,
	makes:    run.Dataset,
	idHelp: "Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it " +
		"is not checked.",
	timeouts: datasetTimeouts,
	inputs:   []string{"prompts", "use_default_prompts", "triggers"},
	schema:   datasetSchema,
	empty: func(w *work) (own *dataset, model, private any) {
		d := &dataset{work: w}
		d.Model = &d.model.Model
		return d, &d.model, &d.private
	},

	order:       (*dataset).order,
	refuseStart: (*dataset).refuseSecond,
	accepted:    (*dataset).accepted,
	unknown:     (*dataset).unknown,

	refresh:    (*dataset).refresh,
	phase:      (*dataset).phase,
	await:      (*dataset).awaitEnd,
	statusLine: (*dataset).statusLine,

	note:       (*dataset).note,
	checkStart: (*dataset).checkStart,
	resume:     (*dataset).resume,

	isUnconfirmed: func(d *dataset) diag.Diagnostic { return d.messages().isUnconfirmed(&d.private) },
	hasFailed:     func(d *dataset, _ bool) diag.Diagnostic { return d.messages().failed() },
	isReplaced:    (*dataset).isReplaced,

	warnOfDestroy: (*dataset).warnOfDestroy,
}
