package check

import "sync"

// AtOnce calls each function again and again, all at the same time, so that the
// race detector sees unguarded shared data.
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

// Times calls a function the given number of times, all at the same time.
func Times(times int, act func(i int)) {
	var group sync.WaitGroup
	for i := range times {
		group.Go(func() { act(i) })
	}
	group.Wait()
}
