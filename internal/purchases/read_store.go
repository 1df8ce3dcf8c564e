package purchases

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// atOnce is how many objects are read concurrently. With a reply in 50
// milliseconds, reading them one after the other would take ten seconds at a
// start.
const atOnce = 16

// readStore reads the log of a store up to its newest object: the living
// purchases from the last object that repeats them, and all objects from there
// on.
func readStore(
	ctx context.Context,
	store Store,
	newest int64,
	pages *pages,
	take func(storedObject),
) error {
	carriers, err := lastCarriers(ctx, store, newest)
	if err != nil {
		return err
	}
	if len(carriers) > 0 && carriers[0].hasLiving() {
		if !pages.restoreFrom(carriers[0]) {
			return readObjects(ctx, store, newest, take)
		}
		take(carriers[0])
		carriers = carriers[1:]
	}
	return readOn(ctx, store, carriers, newest, take)
}

// lastCarriers reads the objects that repeat others, back to an object that
// repeats the living purchases, or to the first. They are returned in order.
func lastCarriers(ctx context.Context, store Store, newest int64) (carriers []storedObject, err error) {
	for last := newest - newest%shortCarry; last > 0; last -= atOnce * shortCarry {
		var numbers []int64
		for number := last; number > 0 && len(numbers) < atOnce; number -= shortCarry {
			numbers = append(numbers, number)
		}
		objects, err := fetch(ctx, store, numbers)
		if err != nil {
			return nil, err
		}
		for _, object := range objects {
			carriers = append(carriers, object)
			if object.hasLiving() {
				slices.Reverse(carriers)
				return carriers, nil
			}
		}
	}
	slices.Reverse(carriers)
	return carriers, nil
}

// hasLiving reports whether an object repeats the living purchases in the form
// of this build.
func (o storedObject) hasLiving() bool {
	return o.carried != nil && o.carried.Living != nil && o.carried.Living.Version == carryVersion
}

// restoreFrom fills the pages with the living purchases that an object repeats,
// and reports whether they can be read.
func (p *pages) restoreFrom(carrier storedObject) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.restore(carrier.carried.Living) != nil {
		p.restart()
		return false
	}
	return true
}

// readObjects reads all objects, and calls take with each.
func readObjects(ctx context.Context, store Store, newest int64, take func(storedObject)) error {
	var numbers []int64
	for number := int64(shortCarry); number <= newest; number += shortCarry {
		numbers = append(numbers, number)
	}
	carriers, err := fetch(ctx, store, numbers)
	if err != nil {
		return err
	}
	return readOn(ctx, store, carriers, newest, take)
}

// readOn calls take with the objects that each carrier repeats, with the
// carrier, and with the objects after the last carrier.
func readOn(
	ctx context.Context,
	store Store,
	carriers []storedObject,
	newest int64,
	take func(storedObject),
) error {
	for _, carrier := range carriers {
		err := readHundred(ctx, store, carrier, take)
		if err != nil {
			return err
		}
		take(carrier)
	}
	last, err := fetch(ctx, store, between(newest-newest%shortCarry, newest+1))
	for _, object := range last {
		take(object)
	}
	return err
}

// readHundred calls take with the 99 objects before an object.
func readHundred(ctx context.Context, store Store, last storedObject, take func(storedObject)) error {
	first := last.number - shortCarry + 1
	if last.carried != nil && len(last.carried.Objects) == shortCarry-1 {
		for i, lines := range last.carried.Objects {
			take(storedObject{number: first + int64(i), lines: []byte(lines)})
		}
		return nil
	}
	objects, err := fetch(ctx, store, between(first-1, last.number))
	for _, object := range objects {
		take(object)
	}
	return err
}

// between returns the numbers between two numbers.
func between(first, last int64) (numbers []int64) {
	for number := first + 1; number < last; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

// fetch reads objects, and returns them in order.
func fetch(ctx context.Context, store Store, numbers []int64) ([]storedObject, error) {
	objects := make([]storedObject, len(numbers))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(atOnce)
	for i, number := range numbers {
		reading.Go(func() (err error) {
			objects[i], err = readObject(ctx, store, number)
			return err
		})
	}
	err := reading.Wait()
	if err != nil {
		return nil, err
	}
	return objects, nil
}

// readObject reads the object with a number. If there is none, the error is
// ErrNoObject.
func readObject(ctx context.Context, store Store, number int64) (storedObject, error) {
	content, err := store.Read(ctx, number)
	if err != nil {
		return storedObject{}, err
	}
	return openObject(number, content)
}
