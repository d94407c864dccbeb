/**
 * Sets up the platform before Dexie is loaded, so that thousands of phones are simulated in a minute and every run is
 * deterministic.
 */

/** Number of callbacks that the fake database scheduled for the next turn and that have not run yet. */
let queued = 0
const nextTurn = globalThis.setImmediate

const countedImmediate = (work: () => void): void => {
  queued += 1
  nextTurn(() => {
    queued -= 1
    work()
  })
}
Object.assign(globalThis, { setImmediate: countedImmediate })

// Notifies other tabs' live queries of changes, from its own thread and at any time; nothing here listens to it.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

/** These databases contain only JSON, for which the platform's structuredClone is ten times slower. */
const clone = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clone)
  const copy: Record<string, unknown> = {}
  for (const key in value) copy[key] = clone(value[key as keyof typeof value]) // `in` has just given the key
  return copy
}
Object.assign(globalThis, { structuredClone: clone })

// Dexie warns when it reopens a dead database, which happens in every other sequence.
console.warn = () => {}

/** Building a stack for each of the fake database's errors takes a tenth of the time. */
Error.stackTraceLimit = 0

/** Uncaught errors since this was last emptied. */
export const uncaught: unknown[] = []
process.on('unhandledRejection', (reason) => void uncaught.push(reason))

const maxTurns = 50_000

/** One turn of the event loop, with all microtasks. */
export const turn = (): Promise<void> => new Promise((resolve) => void nextTurn(resolve))

/** Resolves when only timers are pending. */
export const untilIdle = async (): Promise<void> => {
  await turn()
  for (let turns = 0; queued > 0; turns += 1) {
    if (turns > maxTurns) throw new Error('the device never becomes idle')
    await turn()
  }
  await turn()
  if (queued > 0) await untilIdle()
}
