package core

import "slices"

// planWalk refreshes the objects in the state from, and plans the change of
// each. With refreshOnly it plans no change.
func (o *operation) planWalk(flags planOptions, from *state, refreshOnly bool) *Plan {
	w := o.workspace
	p := &Plan{
		t:      w.t,
		serial: w.serial,
		prior:  from.clone(),
	}
	if len(w.resources)+len(from.addresses()) == 0 {
		return p
	}
	k, ok := o.begin(true, false)
	if ok {
		o.each(k.planTasks(p, flags, from, refreshOnly))
	}
	p.finish(k)
	for _, address := range from.addresses() {
		before := from.get(address)
		if before != nil && !before.same(p.prior.get(address)) {
			p.Drifted = append(p.Drifted, address)
		}
	}
	return p
}

func (k *walk) planTasks(p *Plan, flags planOptions, from *state, refreshOnly bool) []func() {
	w := k.workspace
	var tasks []func()
	add := func(plan func() *Change) {
		slot := len(p.Changes)
		p.Changes = append(p.Changes, nil)
		tasks = append(tasks, func() { p.Changes[slot] = plan() })
	}
	configured := map[string]bool{}
	for _, r := range w.resources {
		configured[r.address] = true
		add(func() *Change {
			current, ok := k.refreshed(p.prior, r.address, r.kind, flags)
			if !ok || refreshOnly {
				return nil
			}
			return k.planChange(r, current, nil, slices.Contains(flags.replace, r.address))
		})
	}
	for _, address := range from.addresses() {
		known := w.kindOf(address)
		if from.get(address) != nil && !configured[address] {
			add(func() *Change {
				current, ok := k.refreshed(p.prior, address, known, flags)
				if !ok {
					return nil
				}
				change := k.planDestroy(address, known, current)
				if refreshOnly {
					return nil
				}
				return change
			})
		}
		for _, leftover := range from.deposedAt(address) {
			add(func() *Change { return k.planDeposed(p.prior, address, known, leftover, flags, refreshOnly) })
		}
	}
	if flags.reversed {
		slices.Reverse(tasks)
	}
	return tasks
}

// refreshed loads an object, reads it and updates the state.
func (k *walk) refreshed(into *state, address string, known *kind, flags planOptions) (*object, bool) {
	current, ok := k.load(address, known, into.get(address))
	if !ok || flags.skipRefresh {
		return current, ok
	}
	current, ok = k.refresh(address, known, current)
	if ok {
		into.set(address, known, current)
	}
	return current, ok
}

func (k *walk) planDeposed(
	into *state,
	address string,
	known *kind,
	leftover *stored,
	flags planOptions,
	refreshOnly bool,
) *Change {
	current, ok := k.load(address, known, leftover)
	if !ok {
		return nil
	}
	if !flags.skipRefresh {
		current, ok = k.refresh(address, known, current)
		if !ok {
			return nil
		}
		leftover = into.replaceDeposed(address, known, leftover, current)
	}
	if refreshOnly {
		return nil
	}
	change := k.planDestroy(address, known, current)
	if change != nil {
		change.Deposed = true
		change.leftover = leftover
	}
	return change
}

// planDestruction plans the destruction of everything. Like the CLI it first
// makes a normal plan, and uses its refresh but not its warnings.
func (o *operation) planDestruction(flags planOptions) *Plan {
	w := o.workspace
	from := w.state
	if len(from.addresses()) == 0 {
		return &Plan{
			t:      w.t,
			serial: w.serial,
			prior:  from,
		}
	}
	if !flags.skipRefresh {
		refreshed := o.planWalk(planOptions{}, from, false)
		if refreshed.Diagnostics.HasErrors() {
			return refreshed
		}
		from = refreshed.prior
	}
	p := &Plan{
		t:      w.t,
		serial: w.serial,
		prior:  from,
	}
	k, ok := o.begin(true, false)
	if ok {
		var tasks []func()
		for _, address := range k.destructionOrder(from) {
			known := w.kindOf(address)
			plan := func(file, leftover *stored) {
				slot := len(p.Changes)
				p.Changes = append(p.Changes, nil)
				tasks = append(tasks, func() {
					if current, ok := k.load(address, known, file); ok {
						p.Changes[slot] = k.planDestroy(address, known, current)
						if p.Changes[slot] != nil {
							p.Changes[slot].Deposed = leftover != nil
							p.Changes[slot].leftover = leftover
						}
					}
				})
			}
			if file := from.get(address); file != nil {
				plan(file, nil)
			}
			for _, leftover := range from.deposedAt(address) {
				plan(leftover, leftover)
			}
		}
		o.each(tasks)
	}
	p.finish(k)
	return p
}

// destructionOrder returns the reverse order of the configuration, after the
// objects that are no longer in it.
func (k *walk) destructionOrder(from *state) []string {
	var configured []string
	for _, r := range slices.Backward(k.workspace.resources) {
		configured = append(configured, r.address)
	}
	orphans := slices.DeleteFunc(
		from.addresses(),
		func(address string) bool { return slices.Contains(configured, address) },
	)
	return append(orphans, configured...)
}

// finish adds the messages of the walk and removes changes that could not be
// planned.
func (p *Plan) finish(k *walk) {
	p.Diagnostics = k.report.all()
	p.Deferred = k.report.left
	p.Changes = slices.DeleteFunc(p.Changes, func(change *Change) bool { return change == nil })
}
