/** Releases the slot; to be called once. */
export type Release = () => void

type Waiter = { readonly failures: number; readonly admit: (leave: Release | undefined) => void }
type Line = {
  inside: number
  pace: Pace
  admitted: number
  lastGroup?: string
  readonly waiting: Map<string, Waiter[]>
}

/** The limit on concurrent requests; with a fixed time, each holds its slot for that many milliseconds. */
export type Pace = {
  readonly atOnce: number
  readonly milliseconds?: number
  /**
   * Among equals, the order rotates over this many of the newest; otherwise a caller that returns as soon as it is answered would always be
   * the newest.
   */
  readonly amongNewest?: number
}

/** The index of the next waiter; the waiters are sorted. */
const placeOfNext = (waiters: readonly Waiter[], { pace: { amongNewest = 1 }, admitted }: Line): number => {
  const equals = waiters.slice(0, amongNewest).filter(({ failures }) => failures === waiters[0]?.failures)
  return admitted % Math.max(1, equals.length)
}

type AcquireOptions = {
  /** It may differ between callers; the newest caller's pace applies to all who wait. */
  readonly pace: Pace
  /** How many of one group may wait; when there is one more, the last in order is rejected. */
  readonly maxWaiting: number
  /** Groups take turns, so that a crowded group delays only itself. */
  readonly group?: string
  /** Failures of this caller so far. The fewest go first. */
  readonly failures?: number
  /** Which of equals goes first. Default: the newest, because the oldest has most likely given up. */
  readonly first?: 'newest' | 'oldest'
  /** How long to wait for a slot before being rejected. */
  readonly maxWaitMilliseconds?: number
}

type After = (milliseconds: number, run: () => void) => void

const afterRealTime: After = (milliseconds, run) => void setTimeout(run, milliseconds).unref()

/** Priority queues of requests within this process. With several processes each has its own queues, so the limits hold per process. */
export class KeyedSemaphore {
  readonly #lines = new Map<string, Line>()
  #waiting = 0

  /** Runs a function after the given milliseconds; used to release slots with a fixed time. */
  readonly after: After

  constructor(after: After = afterRealTime) {
    this.after = after
  }

  /** The number of waiting requests in all queues. */
  get waiting(): number {
    return this.#waiting
  }

  /** The pace of a queue that is in use. */
  paceOf(name: string): Pace | undefined {
    return this.#lines.get(name)?.pace
  }

  /** Waits for a slot; undefined when rejected because too many wait, or because the wait timed out. */
  take(name: string, place: AcquireOptions): Promise<Release | undefined> {
    const { pace, maxWaiting, group = '', failures = 0, first = 'newest', maxWaitMilliseconds } = place
    const line = this.#lines.get(name) ?? { inside: 0, pace, admitted: 0, waiting: new Map() }
    this.#lines.set(name, line)
    line.pace = pace
    const waiters: Waiter[] = line.waiting.get(group) ?? []
    line.waiting.set(group, waiters)
    return new Promise((admit) => {
      const self = { failures, admit }
      const isBehind = (other: Waiter) => (first === 'newest' ? other.failures >= failures : other.failures > failures)
      const behind = waiters.findIndex(isBehind)
      waiters.splice(behind < 0 ? waiters.length : behind, 0, self)
      this.#waiting += 1
      this.#fill(name, line)
      if (waiters.length > maxWaiting) this.#admit(waiters.pop(), undefined)
      if (maxWaitMilliseconds !== undefined && waiters.includes(self)) {
        this.after(maxWaitMilliseconds, () => this.#turnAway(line, group, self))
      }
    })
  }

  /** Ends the wait of a request that has no slot yet. */
  #turnAway(line: Line, group: string, waiter: Waiter): void {
    const waiters = line.waiting.get(group) ?? []
    const place = waiters.indexOf(waiter)
    if (place < 0) return
    waiters.splice(place, 1)
    if (waiters.length === 0) line.waiting.delete(group)
    this.#admit(waiter, undefined)
  }

  /** Admits as many waiters as there are free slots. */
  #fill(name: string, line: Line): void {
    while (line.inside < line.pace.atOnce) {
      const groups = [...line.waiting.keys()]
      const group = groups.find((one) => one !== line.lastGroup) ?? groups[0]
      const waiters = group === undefined ? undefined : line.waiting.get(group)
      if (group === undefined || waiters === undefined) {
        if (line.inside === 0) this.#lines.delete(name)
        return
      }
      const [next] = waiters.splice(placeOfNext(waiters, line), 1)
      line.admitted += 1
      // The group goes to the end of the rotation.
      line.waiting.delete(group)
      if (waiters.length > 0) line.waiting.set(group, waiters)
      line.lastGroup = group
      line.inside += 1
      this.#admit(next, () => {
        line.inside -= 1
        this.#fill(name, line)
      })
    }
  }

  #admit(waiter: Waiter | undefined, leave: Release | undefined): void {
    this.#waiting -= 1
    waiter?.admit(leave)
  }
}
