/**
 * Does the work and returns its result; resolves to undefined if it fails or throws. The reason says why a failure
 * needs no handling.
 */
export const ignoring = <Result>(
  _reason: string,
  work: () => Result | PromiseLike<Result>,
): Promise<Result | undefined> => new Promise<Result>((resolve) => resolve(work())).then(undefined, () => undefined)
