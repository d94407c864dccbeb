/** Does the work and returns its result; returns undefined where it fails. The reason says why a failure needs no handling. */
export const ignoring = async <Result>(_reason: string, work: () => Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work()
  } catch {
    return undefined
  }
}
