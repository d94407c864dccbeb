/**
 * What the platform must be before Dexie is loaded, so that thousands of phones fit into a minute and each goes the same way every time.
 */

/** Of the work that the fake database leaves for the next turn, how much is to be done yet. */
let queued = 0
const nextTurn = globalThis.setImmediate

const counted = (work: () => void): void => {
  queued += 1
  nextTurn(() => {
    queued -= 1
    work()
  })
}
Object.assign(globalThis, { setImmediate: counted })

// Tells other tabs' live queries of changes, from a thread of its own and whenever that likes; nothing here listens to it.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

/** All that lies in these databases is JSON, for which the platform's own way is ten times slower. */
const clone = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clone)
  const copy: Record<string, unknown> = {}
  for (const key in value) copy[key] = clone(value[key as keyof typeof value]) // `in` has just given the key
  return copy
}
Object.assign(globalThis, { structuredClone: clone })

// Dexie says aloud that it opens a dead database again; here one dies in every other sequence.
console.warn = () => {}

/** Building a stack for each of the fake database's errors takes a tenth of the time. */
Error.stackTraceLimit = 0

/** What was thrown where nobody caught it, since this was emptied. */
export const uncaught: unknown[] = []
process.on('unhandledRejection', (reason) => void uncaught.push(reason))

const mostTurns = 50_000

/** One turn of the event loop, everything that promises wait for done. */
export const turn = (): Promise<void> => new Promise((resolve) => void nextTurn(resolve))

/** Until nothing goes on but waiting. */
export const rest = async (): Promise<void> => {
  await turn()
  for (let turns = 0; queued > 0; turns += 1) {
    if (turns > mostTurns) throw new Error('the device never comes to rest')
    await turn()
  }
  await turn()
  if (queued > 0) await rest()
}
