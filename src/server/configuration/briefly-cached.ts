import type { Deps } from '../deps.ts'

/** How long a value is cached, so that it costs no statement per request. */
const cacheMs = 2_000

/**
 * Returns a function that reads a value at most every two seconds. If it cannot be read, the function logs this and
 * returns the value that was read before, or `initial`.
 */
export const brieflyCached = <Value>(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { name, initial, read }: { name: string; initial: Value; read: () => Promise<Value> },
): (() => Promise<Value>) => {
  let lastReadAt = Number.NEGATIVE_INFINITY
  let lastValue = initial
  let pending: Promise<Value> = Promise.resolve(initial)
  const refresh = async (): Promise<Value> => {
    try {
      lastValue = await read()
    } catch (error) {
      log.warn({ err: error }, `${name} could not be read`)
    }
    return lastValue
  }
  return () => {
    const now = clock().getTime()
    if (Math.abs(now - lastReadAt) >= cacheMs) {
      lastReadAt = now
      pending = refresh()
    }
    return pending
  }
}
