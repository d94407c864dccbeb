import { AsyncLocalStorage } from 'node:async_hooks'

/** Statements (or transactions) that a request may run before it moves behind requests that arrived later. */
const statementsPerTurn = 16

let lastPosition = 0

const nextPosition = (): number => {
  lastPosition += 1
  return lastPosition
}

/** A request's position in the order of arrival: lower means earlier. */
class Turn {
  #position = nextPosition()
  #remaining = statementsPerTurn

  position(): number {
    if (this.#remaining === 0) {
      this.#position = nextPosition()
      this.#remaining = statementsPerTurn
    }
    this.#remaining -= 1
    return this.#position
  }
}

const turns = new AsyncLocalStorage<Turn>()

/**
 * Runs the work, and everything it starts, as a request that arrives now. The oldest request gets the single connection
 * first.
 */
export const inArrivalOrder = <Result>(work: () => Result): Result => turns.run(new Turn(), work)

type QueuedWork = { readonly position: number; readonly start: () => void }

/**
 * Runs one statement or transaction at a time, ordered by the arrival of its request instead of the arrival of the
 * statement. Of eight requests of three statements each, the first is answered after its own three statements, instead
 * of after two statements of every request. Work outside of any request is ordered by the time of its call.
 *
 * Between two statements the event loop runs once: the embedded engine computes in this thread, so otherwise no
 * response would be sent and no request read while statements wait.
 */
export class FairQueue {
  readonly #waiting: QueuedWork[] = []
  #isTaken = false

  /** Waits until this statement or transaction may run. Call `give` after it. */
  async take(): Promise<void> {
    const position = turns.getStore()?.position() ?? nextPosition()
    if (this.#isTaken) await new Promise<void>((start) => this.#queue({ position, start }))
    this.#isTaken = true
  }

  /** Lets the next statement or transaction run. */
  give(): void {
    setImmediate(() => {
      const next = this.#waiting.shift()
      if (next) next.start()
      else this.#isTaken = false
    })
  }

  #queue(work: QueuedWork): void {
    const previousIndex = this.#waiting.findLastIndex(({ position }) => position <= work.position)
    this.#waiting.splice(previousIndex + 1, 0, work)
  }
}
