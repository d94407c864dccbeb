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

  position(): number {
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

type QueuedWork = { readonly position: number; readonly start: () => void }

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
    const position = turns.getStore()?.position() ?? comeNow()
    if (this.#taken) await new Promise<void>((start) => this.#queue({ position, start }))
    this.#taken = true
  }

  give(): void {
    setImmediate(() => {
      const next = this.#waiting.shift()
      if (next) next.start()
      else this.#taken = false
    })
  }

  #queue(work: QueuedWork): void {
    const before = this.#waiting.findLastIndex(({ position }) => position <= work.position)
    this.#waiting.splice(before + 1, 0, work)
  }
}
