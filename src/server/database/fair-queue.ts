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
 * Lets one through at a time: first whoever came first, not whoever asked first. Of eight requests of three statements each, the first
 * is then answered after its three and not after everybody's second; none waits a round longer than the others. Work outside of any
 * request comes when it asks.
 *
 * Between two that it lets through, statements or transactions, the event loop turns: the embedded engine computes in this thread, and
 * without it no answer would be sent and no request be read as long as there is work.
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
