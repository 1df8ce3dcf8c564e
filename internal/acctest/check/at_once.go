package check

import "sync"

// AtOnce does each of these again and again, and all at the same time: the race
// detector sees what they share and nothing guards.
func AtOnce(acts ...func()) {
	var group sync.WaitGroup
	for range 4 {
		for _, act := range acts {
			group.Go(func() {
				for range 50 {
					act()
				}
			})
		}
	}
	group.Wait()
}

// Times does something so many times, all at the same time.
func Times(times int, act func(i int)) {
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() { act(i) })
	}
	group.Wait()
}
