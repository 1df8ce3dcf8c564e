package framework

import "sync"

// Unsaved are the generations whose download has failed in this run. They are not
// deleted: terraform destroy goes on after a before_destroy action that fails, even
// with on_failure = halt. The zero value is empty.
type Unsaved struct{ byID sync.Map }

// Note records how the last download of a generation has ended.
func (u *Unsaved) Note(id string, saved bool) { u.byID.Store(id, !saved) }

// Among returns those of the generations that were to be saved, and were not.
func (u *Unsaved) Among(ids []string) (unsaved []string) {
	for _, id := range ids {
		if failed, _ := u.byID.Load(id); failed == true {
			unsaved = append(unsaved, id)
		}
	}
	return unsaved
}
