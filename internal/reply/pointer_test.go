package reply_test

func deref[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}
