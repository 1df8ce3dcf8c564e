package framework

import "sync"

// Unsaved are the generations whose download has failed in this run. They are not
// deleted: terraform destroy goes on after a before_destroy action that fails, even
// with on_failure = halt. The zero value is empty.
type Unsaved struct {
	mutex sync.Mutex
	ids   map[string]bool
}

// Note records how the last download of a generation has ended.
func (u *Unsaved) Note(id string, saved bool) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.ids == nil {
		u.ids = map[string]bool{}
	}
	u.ids[id] = !saved
}

// Among returns those of the generations that were to be saved, and were not.
func (u *Unsaved) Among(ids []string) (unsaved []string) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	for _, id := range ids {
		if u.ids[id] {
			unsaved = append(unsaved, id)
		}
	}
	return unsaved
}
