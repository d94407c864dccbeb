import { AsyncLocalStorage } from 'node:async_hooks'

/** How many statements (a transaction counts as one) a request may run before later requests rank the same as it does. */
const statementsInTurn = 16

let arrived = 0

const comeNow = (): number => {
  arrived += 1
  return arrived
}

/** A request's position in the order of arrival: lower means earlier. */
class Turn {
  #place = comeNow()
  #left = statementsInTurn

  place(): number {
    if (this.#left === 0) {
      this.#place = comeNow()
      this.#left = statementsInTurn
    }
    this.#left -= 1
    return this.#place
  }
}

const turns = new AsyncLocalStorage<Turn>()

/** Runs the work, and everything it starts, as a request that arrives now: the oldest request gets the single connection first. */
export const inArrivalOrder = <Result>(work: () => Result): Result => turns.run(new Turn(), work)

type QueuedWork = { readonly place: number; readonly begin: () => void }

/**
 * Runs one statement or transaction at a time, ordered by the arrival of its request and not of the statement. Of eight requests of
 * three statements each, the first is then answered after its own three instead of after the second statement of each; none waits a
 * round longer than the others. Work outside of any request is ordered by the time it asks.
 *
 * Between two of them the event loop turns: the embedded engine computes in this thread, and without a turn no response would be sent
 * and no request read as long as there is work.
 */
export class FairQueue {
  readonly #waiting: QueuedWork[] = []
  #taken = false

  async take(): Promise<void> {
    const place = turns.getStore()?.place() ?? comeNow()
    if (this.#taken) await new Promise<void>((begin) => this.#queue({ place, begin }))
    this.#taken = true
  }

  give(): void {
    setImmediate(() => {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#taken = false
    })
  }

  #queue(one: QueuedWork): void {
    const before = this.#waiting.findLastIndex(({ place }) => place <= one.place)
    this.#waiting.splice(before + 1, 0, one)
  }
}
