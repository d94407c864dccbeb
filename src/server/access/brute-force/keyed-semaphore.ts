/** Releases a slot. Call it once. */
export type Release = () => void

type Waiter = { readonly failures: number; readonly admit: (release: Release | undefined) => void }
/** Requests with slots and waiting requests, the latter by group. */
type Queue = {
  running: number
  pace: Pace
  admittedCount: number
  lastGroup?: string
  readonly waiting: Map<string, Waiter[]>
}

/** The limit on concurrent requests. With `milliseconds`, each request holds its slot for that time. */
export type Pace = {
  readonly atOnce: number
  readonly milliseconds?: number
  /**
   * The order rotates over this many of the newest waiters with equal failures. Otherwise a caller that returns at once
   * would always be the newest.
   */
  readonly amongNewest?: number
}

/** The index of the next waiter; the waiters are sorted. */
const indexOfNext = (waiters: readonly Waiter[], { pace: { amongNewest = 1 }, admittedCount }: Queue): number => {
  const equalWaiters = waiters.slice(0, amongNewest).filter(({ failures }) => failures === waiters[0]?.failures)
  return admittedCount % Math.max(1, equalWaiters.length)
}

type AcquireOptions = {
  /** The pace may differ between callers; that of the newest caller applies to all who wait. */
  readonly pace: Pace
  /** The number of callers of one group that may wait; with one more, the last in order is rejected. */
  readonly maxWaiting: number
  /** Groups take turns, so that a crowded group delays only itself. */
  readonly group?: string
  /** The number of failures of this caller. The fewest go first. */
  readonly failures?: number
  /**
   * Which caller goes first where failures are equal. Default: the newest, because the oldest has probably given up.
   */
  readonly first?: 'newest' | 'oldest'
  /** How long to wait for a slot before being rejected. */
  readonly maxWaitMs?: number
}

type After = (milliseconds: number, run: () => void) => void

const afterRealTime: After = (milliseconds, run) => void setTimeout(run, milliseconds).unref()

/** Priority queues of requests within this process. With several processes, each has its own queues and limits. */
export class KeyedSemaphore {
  readonly #queues = new Map<string, Queue>()
  #waiting = 0

  /** Runs a function after the given milliseconds; used to release slots after a fixed time, and for `maxWaitMs`. */
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
    return this.#queues.get(name)?.pace
  }

  /** Waits for a slot; undefined when rejected because too many wait, or because the wait timed out. */
  take(
    name: string,
    { pace, maxWaiting, group = '', failures = 0, first = 'newest', maxWaitMs }: AcquireOptions,
  ): Promise<Release | undefined> {
    const queue = this.#queues.get(name) ?? { running: 0, pace, admittedCount: 0, waiting: new Map() }
    this.#queues.set(name, queue)
    queue.pace = pace
    const waiters: Waiter[] = queue.waiting.get(group) ?? []
    queue.waiting.set(group, waiters)
    return new Promise((admit) => {
      const waiter = { failures, admit }
      const isBehind = (other: Waiter) => (first === 'newest' ? other.failures >= failures : other.failures > failures)
      const insertIndex = waiters.findIndex(isBehind)
      waiters.splice(insertIndex < 0 ? waiters.length : insertIndex, 0, waiter)
      this.#waiting += 1
      this.#fill(name, queue)
      if (waiters.length > maxWaiting) this.#admit(waiters.pop(), undefined)
      if (maxWaitMs !== undefined && waiters.includes(waiter)) {
        this.after(maxWaitMs, () => this.#reject(queue, group, waiter))
      }
    })
  }

  /** Ends the wait of a request that has no slot yet. */
  #reject(queue: Queue, group: string, waiter: Waiter): void {
    const waiters = queue.waiting.get(group) ?? []
    const index = waiters.indexOf(waiter)
    if (index < 0) return
    waiters.splice(index, 1)
    if (waiters.length === 0) queue.waiting.delete(group)
    this.#admit(waiter, undefined)
  }

  /** Admits as many waiters as there are free slots. */
  #fill(name: string, queue: Queue): void {
    while (queue.running < queue.pace.atOnce) {
      const groups = [...queue.waiting.keys()]
      const group = groups.find((candidate) => candidate !== queue.lastGroup) ?? groups[0]
      const waiters = group === undefined ? undefined : queue.waiting.get(group)
      if (group === undefined || waiters === undefined) {
        if (queue.running === 0) this.#queues.delete(name)
        return
      }
      const [nextWaiter] = waiters.splice(indexOfNext(waiters, queue), 1)
      queue.admittedCount += 1
      // The group goes to the end of the rotation.
      queue.waiting.delete(group)
      if (waiters.length > 0) queue.waiting.set(group, waiters)
      queue.lastGroup = group
      queue.running += 1
      this.#admit(nextWaiter, () => {
        queue.running -= 1
        this.#fill(name, queue)
      })
    }
  }

  #admit(waiter: Waiter | undefined, release: Release | undefined): void {
    this.#waiting -= 1
    waiter?.admit(release)
  }
}
