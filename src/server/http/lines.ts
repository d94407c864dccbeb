type Waiter = () => void
type Line = { inside: number; readonly waiting: Map<string, Waiter[]> }

/** Lets the next one in; to be called once. */
export type Leave = () => void

type Place = {
  /** Those of one group wait behind each other; groups take turns, so that a crowd holds up only itself. */
  readonly group: string
  /** How many are let in at a time; the same for every place of a line. */
  readonly atOnce: number
  /** How many of one group may wait; the next is turned away. */
  readonly mostWaiting: number
}

/** More groups than real people ever make in front of one door. */
const mostGroups = 500

/**
 * Lines of requests within this process. (With several processes each has lines of its own: a door then lets in as many at a time
 * as there are processes, which changes no order of magnitude.)
 */
export class Lines {
  readonly #lines = new Map<string, Line>()

  /** Waits for a place; undefined when too many wait already. */
  async take(name: string, { group, atOnce, mostWaiting }: Place): Promise<Leave | undefined> {
    const line = this.#lines.get(name) ?? { inside: 0, waiting: new Map() }
    this.#lines.set(name, line)
    const leave = () => this.#leave(name, line)
    if (line.inside < atOnce) {
      line.inside += 1
      return leave
    }
    const mine = line.waiting.get(group) ?? []
    if (mine.length >= mostWaiting || (mine.length === 0 && line.waiting.size >= mostGroups)) return undefined
    line.waiting.set(group, mine)
    await new Promise<void>((resolve) => mine.push(resolve))
    return leave
  }

  #leave(name: string, line: Line): void {
    const [turn] = line.waiting
    if (turn === undefined) {
      line.inside -= 1
      if (line.inside === 0) this.#lines.delete(name)
      return
    }
    const [group, waiters] = turn
    const next = waiters.shift()
    // Behind the other groups, for the next of its own.
    line.waiting.delete(group)
    if (waiters.length > 0) line.waiting.set(group, waiters)
    // The place is handed on without ever being free, or a newcomer could slip in between.
    next?.()
  }
}
