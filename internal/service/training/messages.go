package training

import (
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
)

// othersShown names the jobs that the last status shows in place of one that it
// does not show: the one that is meant may be among them. It is empty if no
// status was read.
func (t *training) othersShown() string {
	if t.status == nil {
		return ""
	}
	var ids []string
	for _, job := range jobsOf(t.status) {
		ids = append(ids, fmt.Sprintf("%q", reply.Text(job.id)))
	}
	if len(ids) == 0 {
		return fmt.Sprintf(" It shows no job of character %q.", t.characterID())
	}
	return fmt.Sprintf(" Of character %q it shows %s.", t.characterID(), report.Several(ids, ", "))
}
