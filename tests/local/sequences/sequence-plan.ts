import type { ServerFault } from '#support/cart-server/model-server.ts'
import { type RandomSource, seededRandom } from '#support/network/fault-plans.ts'

export const editKinds = [
  ...(['add', 'add', 'add', 'add', 'quantity', 'quantity', 'text', 'text', 'remove', 'undo'] as const),
  ...(['service', 'unservice', 'person', 'person', 'clear', 'retry', 'discard'] as const),
]
export type EditKind = (typeof editKinds)[number]

/** The two tabs edit; the third is the worker, which only sends. */
export type TabIndex = 0 | 1 | 2

/** `within`: turns of the event loop after which the tab or its database dies, whatever it is doing then. */
export type Step = { seed: number } & (
  | { do: 'edit'; tabIndex: 0 | 1; what: EditKind; cart: number; pick: number; amount: number; killed: number | null }
  | { do: 'pass'; milliseconds: number }
  | { do: 'fault'; fault: ServerFault }
  | { do: 'kill' | 'die'; tabIndex: TabIndex; within: number }
  | { do: 'clock'; by: number }
  | { do: 'wake'; tabIndex: TabIndex; reason: 'online' | 'visible' | 'sync' | 'tap' | 'answer' }
)

export const isFault = (step: Step): boolean =>
  ['fault', 'kill', 'die', 'clock'].includes(step.do) || (step.do === 'edit' && step.killed !== null)

const networkFaults: readonly ServerFault[] = [
  ...(['cut-before', 'cut-after', 'cut-midway', 'late', 'twice', 'hang-before', 'hang-after', 'half-answer'] as const),
  ...(['portal', 'session-lost', 'carts-lost', 409, 429, 500, 503] as const),
]

const hour = 3_600_000
const clockJumps: readonly number[] = [-400 * 24 * hour, -hour, -20_000, 20_000, hour, 400 * 24 * hour]

const randomBelow = (random: RandomSource, end: number): number => Math.floor(random() * end)
const pickFrom = <Value>(random: RandomSource, values: readonly [Value, ...Value[]] | readonly Value[]): Value =>
  values[randomBelow(random, values.length)] as Value // never empty

const fewestEdits = 20
const fewestFaults = 3

/**
 * The steps of the sequence with this seed: at least 20 edits from two tabs, and at least three faults or crashes among
 * them.
 */
export const planOf = (seed: number): Step[] => {
  const random = seededRandom(seed)
  const steps: Step[] = []
  const stepSeed = () => randomBelow(random, 2 ** 31)
  const editCount = fewestEdits + randomBelow(random, 6)
  // An edit whose tab is killed may have no effect, so it does not count.
  for (let count = 0; count < editCount; ) {
    const tabIndex = pickFrom<0 | 1>(random, [0, 1])
    const what = pickFrom(random, steps.length < 4 ? editKinds.slice(0, 4) : editKinds)
    const [cart, pick, amount] = [randomBelow(random, 5), randomBelow(random, 100), randomBelow(random, 5)]
    const killed = random() < 0.03 ? randomBelow(random, 60) : null
    if (killed === null) count += 1
    steps.push({ seed: stepSeed(), do: 'edit', tabIndex, what, cart, pick, amount, killed })
    if (random() < 0.35) {
      const milliseconds = pickFrom(random, [30, 300, 900, 2_500, 11_000, 40_000])
      steps.push({ seed: stepSeed(), do: 'pass', milliseconds })
    }
    if (random() < 0.15) {
      const reason = pickFrom(random, ['online', 'visible', 'sync', 'tap', 'answer'] as const)
      steps.push({ seed: stepSeed(), do: 'wake', tabIndex: pickFrom<TabIndex>(random, [0, 1, 2]), reason })
    }
  }
  const faultCount = fewestFaults + randomBelow(random, 5)
  for (let count = 0; count < faultCount; count += 1) {
    // After the first few edits, so that there is something to lose.
    const position = 4 + randomBelow(random, steps.length - 3)
    steps.splice(position, 0, { seed: stepSeed(), ...randomFault(random) })
  }
  // A clock jump at the end, after which no tap wakes a sender.
  if (random() < 0.1) steps.push({ seed: stepSeed(), do: 'clock', by: pickFrom(random, clockJumps) })
  return steps
}

type WithoutSeed<Kind> = Kind extends unknown ? Omit<Kind, 'seed'> : never

const randomFault = (random: RandomSource): WithoutSeed<Step> => {
  const kind = random()
  const tabIndex = pickFrom<TabIndex>(random, [0, 1, 2])
  if (kind < 0.65) return { do: 'fault', fault: pickFrom(random, networkFaults) }
  if (kind < 0.8) return { do: 'kill', tabIndex, within: randomBelow(random, 80) }
  if (kind < 0.9) return { do: 'die', tabIndex, within: randomBelow(random, 80) }
  return { do: 'clock', by: pickFrom(random, clockJumps) }
}
