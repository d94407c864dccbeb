import type { Deps } from '../deps.ts'

/** How long a value is cached, so that it costs no statement per request. */
const cacheMs = 2_000

type BrieflyCached<Value> = {
  /** The value, at most two seconds old. */
  readonly read: () => Promise<Value>
  /** The value that was read last, without waiting for the database. Starts to read it again after two seconds. */
  readonly latest: () => Value
}

/** Reads a value at most every two seconds. If it cannot be read, this is logged and the value before it stays: at first `initial`. */
export const brieflyCached = <Value>(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  { name, initial, read }: { name: string; initial: Value; read: () => Promise<Value> },
): BrieflyCached<Value> => {
  let lastReadAt = Number.NEGATIVE_INFINITY
  let latest = initial
  let pending: Promise<Value> = Promise.resolve(initial)
  const refresh = async (): Promise<Value> => {
    try {
      latest = await read()
    } catch (error) {
      log.warn({ err: error }, `${name} could not be read`)
    }
    return latest
  }
  const refreshIfOld = (): Promise<Value> => {
    const now = clock().getTime()
    if (Math.abs(now - lastReadAt) >= cacheMs) {
      lastReadAt = now
      pending = refresh()
    }
    return pending
  }
  return {
    read: refreshIfOld,
    latest: () => {
      void refreshIfOld() // never rejects
      return latest
    },
  }
}
