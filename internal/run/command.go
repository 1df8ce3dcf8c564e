package run

import "github.com/mediagen/terraform-provider-mediagen/internal/framework"

// Command returns the command of a request of the current run.
func (r *Runs) Command(mayDefer bool) framework.Command {
	data := r.Current()
	if data == nil {
		return (*framework.Progress)(nil).Command(mayDefer)
	}
	return data.Progress.Command(mayDefer)
}
