import type { ServerFault } from '#support/cart-server/model-server.ts'
import { type RandomSource, seededRandom } from '#support/network/fault-plans.ts'

export const editKinds = [
  ...(['add', 'add', 'add', 'add', 'quantity', 'quantity', 'text', 'text', 'remove', 'undo'] as const),
  ...(['service', 'unservice', 'person', 'person', 'clear', 'retry', 'let-go'] as const),
]
export type EditKind = (typeof editKinds)[number]

/** The two tabs edit; the third is the worker, which only sends. */
export type TabIndex = 0 | 1 | 2

/** `within`: turns of the event loop after which the tab is gone, or its database, whatever it has come to by then. */
export type Step = { seed: number } & (
  | { do: 'edit'; who: 0 | 1; what: EditKind; cart: number; pick: number; amount: number; killed: number | null }
  | { do: 'pass'; milliseconds: number }
  | { do: 'fault'; fault: ServerFault }
  | { do: 'kill' | 'die'; who: TabIndex; within: number }
  | { do: 'clock'; by: number }
  | { do: 'wake'; who: TabIndex; reason: 'online' | 'visible' | 'sync' | 'tap' | 'answer' }
)

export const isFault = (step: Step): boolean =>
  ['fault', 'kill', 'die', 'clock'].includes(step.do) || (step.do === 'edit' && step.killed !== null)

const networkFaults: readonly ServerFault[] = [
  ...(['cut-before', 'cut-after', 'cut-midway', 'late', 'twice', 'hang-before', 'hang-after', 'half-answer'] as const),
  ...(['portal', 'session-lost', 'carts-lost', 409, 429, 500, 503] as const),
]

const hour = 3_600_000
const jumps: readonly number[] = [-400 * 24 * hour, -hour, -20_000, 20_000, hour, 400 * 24 * hour]

const below = (chance: RandomSource, end: number): number => Math.floor(chance() * end)
const oneOf = <Value>(chance: RandomSource, values: readonly [Value, ...Value[]] | readonly Value[]): Value =>
  values[below(chance, values.length)] as Value // never empty

const fewestEdits = 20
const fewestFaults = 3

/** What happens in the sequence of a seed: at least 20 edits from two tabs, and at least three faults or crashes among them. */
export const planOf = (seed: number): Step[] => {
  const chance = seededRandom(seed)
  const steps: Step[] = []
  const stepSeed = () => below(chance, 2 ** 31)
  const edits = fewestEdits + below(chance, 6)
  // One that is cut off may never have been.
  for (let count = 0; count < edits; ) {
    const who = oneOf<0 | 1>(chance, [0, 1])
    const what = oneOf(chance, steps.length < 4 ? editKinds.slice(0, 4) : editKinds)
    const [cart, pick, amount] = [below(chance, 5), below(chance, 100), below(chance, 5)]
    const killed = chance() < 0.03 ? below(chance, 60) : null
    if (killed === null) count += 1
    steps.push({ seed: stepSeed(), do: 'edit', who, what, cart, pick, amount, killed })
    if (chance() < 0.35) {
      const milliseconds = oneOf(chance, [30, 300, 900, 2_500, 11_000, 40_000])
      steps.push({ seed: stepSeed(), do: 'pass', milliseconds })
    }
    if (chance() < 0.15) {
      const reason = oneOf(chance, ['online', 'visible', 'sync', 'tap', 'answer'] as const)
      steps.push({ seed: stepSeed(), do: 'wake', who: oneOf<TabIndex>(chance, [0, 1, 2]), reason })
    }
  }
  const faults = fewestFaults + below(chance, 5)
  for (let count = 0; count < faults; count += 1) {
    // After the first few edits, so that there is something to lose.
    const place = 4 + below(chance, steps.length - 3)
    steps.splice(place, 0, { seed: stepSeed(), ...faultBy(chance) })
  }
  // With nobody there to tap afterwards.
  if (chance() < 0.1) steps.push({ seed: stepSeed(), do: 'clock', by: oneOf(chance, jumps) })
  return steps
}

type Fresh<Kind> = Kind extends unknown ? Omit<Kind, 'seed'> : never

const faultBy = (chance: RandomSource): Fresh<Step> => {
  const kind = chance()
  const who = oneOf<TabIndex>(chance, [0, 1, 2])
  if (kind < 0.65) return { do: 'fault', fault: oneOf(chance, networkFaults) }
  if (kind < 0.8) return { do: 'kill', who, within: below(chance, 80) }
  if (kind < 0.9) return { do: 'die', who, within: below(chance, 80) }
  return { do: 'clock', by: oneOf(chance, jumps) }
}
