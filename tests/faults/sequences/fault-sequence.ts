import { type NetworkFault, type RandomSource, repeated, seededRandom } from '#support/network/fault-plans.ts'

/** One of the two tabs of a phone. */
export type TabIndex = 0 | 1

/** A cart edit. `line` and `packageIndex` are indices modulo the number of lines or packages. */
export type CartEdit =
  | { do: 'add'; tab: TabIndex; packageIndex: number; quantity: number }
  | { do: 'set-quantity'; tab: TabIndex; line: number; quantity: number }
  | { do: 'set-text'; tab: TabIndex; line: number; text: string }
  | { do: 'remove'; tab: TabIndex; line: number }
  | { do: 'undo-removal' | 'clear'; tab: TabIndex }
  /** By touch on the line's card. */
  | { do: 'tap-more' | 'tap-fewer'; line: number }
  /** By touch, through the screens from the choice of a package to the cart. */
  | { do: 'add-by-touch'; packageIndex: number }

export type Disruption =
  /** One fault for each of the next sync requests. */
  | { do: 'faults'; faults: NetworkFault[] }
  /** A tab closes or crashes during an edit. */
  | { do: 'close-tab' | 'crash-tab'; tab: TabIndex; packageIndex: number }
  | { do: 'stop-worker' | 'kill-server' }
  | { do: 'move-clock'; byMs: number }
  /** The proxy refuses connections for this many milliseconds. */
  | { do: 'lose-network'; forMs: number }

export type SequenceStep = CartEdit | Disruption | { do: 'wait'; forMs: number }

/** How the device notices that the network is back. */
export type RecoveryTrigger = 'reload' | 'online' | 'by-itself'

export type FaultSequence = { seed: number; steps: SequenceStep[]; recoveryTrigger: RecoveryTrigger }

/** Random faults of sync requests, in addition to the planned ones. */
export const backgroundFaultOdds = [
  { fault: 'cut-answer', chance: 0.3 },
  { fault: 'cut-midway', chance: 0.1 },
  { fault: 'refuse', chance: 0.05 },
  { fault: 'cut-request', chance: 0.05 },
] as const

const hourMs = 3_600_000

type RandomPicker = {
  below: (count: number) => number
  of: <Value>(values: readonly Value[]) => Value
}

export const randomPicker = (random: RandomSource): RandomPicker => {
  const below = (count: number): number => Math.floor(random() * count)
  return { below, of: (values) => values[below(values.length)] as never } // one of the values, whatever their type
}

const editKinds = [
  ...repeated(4, 'none').map(() => 'add' as const),
  ...(['set-quantity', 'set-quantity', 'set-quantity', 'set-text', 'set-text', 'remove', 'undo-removal'] as const),
]

const drawEdit = (draw: RandomPicker): CartEdit => {
  const kind = draw.of(editKinds)
  const target = { tab: draw.below(2) as TabIndex, line: draw.below(12) }
  if (kind === 'add') return { do: kind, tab: target.tab, packageIndex: draw.below(6), quantity: 1 + draw.below(3) }
  if (kind === 'set-quantity') return { do: kind, ...target, quantity: draw.below(5) }
  if (kind === 'set-text') return { do: kind, ...target, text: draw.of(['Ada', 'Bo', 'Cy K.', '']) }
  return kind === 'remove' ? { do: kind, ...target } : { do: kind, tab: target.tab }
}

const drawFaults = (draw: RandomPicker): NetworkFault[] => {
  const kind = draw.of(['lose-response', 'lose-response', 'refuse', 'cut', 'maintenance', 'hang'] as const)
  const count = 1 + draw.below(4)
  if (kind === 'lose-response') return repeated(count, 'cut-answer')
  if (kind === 'refuse') return [...repeated(count, 'refuse'), 'cut-answer']
  if (kind === 'cut') return [...repeated(count, 'cut-midway'), 'cut-request']
  // Few faults hang, because a hanging request takes ten seconds until the phone's timeout.
  return kind === 'maintenance' ? [...repeated(2, 'maintenance'), 'cut-answer'] : [draw.of(['hang', 'hang-answer'])]
}

const drawDisruption = (draw: RandomPicker): Disruption => {
  const kind = draw.of(['faults', 'faults', 'close-tab', 'crash-tab', 'stop-worker', 'move-clock', 'lose-network'])
  if (kind === 'faults') return { do: kind, faults: drawFaults(draw) }
  if (kind === 'close-tab' || kind === 'crash-tab') {
    return { do: kind, tab: draw.below(2) as TabIndex, packageIndex: draw.below(6) }
  }
  if (kind === 'move-clock') return { do: kind, byMs: draw.of([-24, -1, 1, 24]) * hourMs }
  return kind === 'lose-network' ? { do: kind, forMs: 300 + draw.below(900) } : { do: 'stop-worker' }
}

const recoveryTriggers = [...(['reload', 'reload', 'online', 'online'] as const), 'by-itself' as const]

/** Draws at least twenty edits, most by the cart driver and some by touch, with four disruptions and a server kill between them. */
export const drawFaultSequence = (seed: number): FaultSequence => {
  const draw = randomPicker(seededRandom(seed))
  const steps: SequenceStep[] = Array.from({ length: 22 }, () => drawEdit(draw))
  const insertRandomly = (step: SequenceStep): void => void steps.splice(1 + draw.below(steps.length), 0, step)
  if (draw.below(4) === 0) insertRandomly({ do: 'clear', tab: draw.below(2) as TabIndex })
  insertRandomly({ do: 'add-by-touch', packageIndex: draw.below(6) })
  for (let taps = 0; taps < 3; taps += 1)
    insertRandomly({ do: draw.of(['tap-more', 'tap-fewer']), line: draw.below(12) })
  for (let waits = 0; waits < 5; waits += 1) insertRandomly({ do: 'wait', forMs: 50 + draw.below(400) })
  for (let disruptions = 0; disruptions < 4; disruptions += 1) insertRandomly(drawDisruption(draw))
  insertRandomly({ do: 'kill-server' })
  return { seed, steps, recoveryTrigger: draw.of(recoveryTriggers) }
}
