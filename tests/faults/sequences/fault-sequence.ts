import { type NetworkFault, type RandomSource, repeated, seededRandom } from '#support/network/fault-plans.ts'

/** One of the two tabs of a phone. */
export type TabIndex = 0 | 1

/** A cart edit. `line` and `which` are indices modulo the number of lines or packages. */
export type CartEdit =
  | { do: 'add'; tab: TabIndex; which: number; quantity: number }
  | { do: 'set-quantity'; tab: TabIndex; line: number; quantity: number }
  | { do: 'write'; tab: TabIndex; line: number; text: string }
  | { do: 'remove'; tab: TabIndex; line: number }
  | { do: 'put-back' | 'clear'; tab: TabIndex }
  /** By touch, on the screen. */
  | { do: 'tap-more' | 'tap-fewer'; line: number }
  /** By touch, through the screens that lead from the cart back to the cart. */
  | { do: 'choose'; which: number }

/** Disruptions. */
export type Disruption =
  /** One fault for each of the next sync requests. */
  | { do: 'faults'; faults: NetworkFault[] }
  /** A tab closes or crashes during an edit. */
  | { do: 'close-tab' | 'crash-tab'; tab: TabIndex; which: number }
  | { do: 'stop-worker' | 'kill-server' }
  | { do: 'move-clock'; byMs: number }
  /** The proxy refuses connections for this many milliseconds. */
  | { do: 'lose-network'; forMs: number }

export type SequenceStep = CartEdit | Disruption | { do: 'look'; forMs: number }

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

export const randomPicker = (chance: RandomSource): RandomPicker => {
  const below = (count: number): number => Math.floor(chance() * count)
  return { below, of: (values) => values[below(values.length)] as never } // one of the values, whatever their type
}

const editKinds = [
  ...repeated(4, 'none').map(() => 'add' as const),
  ...(['set-quantity', 'set-quantity', 'set-quantity', 'write', 'write', 'remove', 'put-back'] as const),
]

const drawEdit = (draw: RandomPicker): CartEdit => {
  const kind = draw.of(editKinds)
  const at = { tab: draw.below(2) as TabIndex, line: draw.below(12) }
  if (kind === 'add') return { do: kind, tab: at.tab, which: draw.below(6), quantity: 1 + draw.below(3) }
  if (kind === 'set-quantity') return { do: kind, ...at, quantity: draw.below(5) }
  if (kind === 'write') return { do: kind, ...at, text: draw.of(['Ada', 'Bo', 'Cy K.', '']) }
  return kind === 'remove' ? { do: kind, ...at } : { do: kind, tab: at.tab }
}

const drawFaults = (draw: RandomPicker): NetworkFault[] => {
  const kind = draw.of(['drop', 'drop', 'cut', 'half', 'busy', 'hang'] as const)
  const count = 1 + draw.below(4)
  if (kind === 'drop') return repeated(count, 'cut-answer')
  if (kind === 'cut') return [...repeated(count, 'refuse'), 'cut-answer']
  if (kind === 'half') return [...repeated(count, 'cut-midway'), 'cut-request']
  // Few faults hang, because a hanging request takes ten seconds until the phone's timeout.
  return kind === 'busy' ? [...repeated(2, 'maintenance'), 'cut-answer'] : [draw.of(['hang', 'hang-answer'])]
}

const drawDisruption = (draw: RandomPicker): Disruption => {
  const kind = draw.of(['faults', 'faults', 'close-tab', 'crash-tab', 'stop-worker', 'move-clock', 'lose-network'])
  if (kind === 'faults') return { do: kind, faults: drawFaults(draw) }
  if (kind === 'close-tab' || kind === 'crash-tab') {
    return { do: kind, tab: draw.below(2) as TabIndex, which: draw.below(6) }
  }
  if (kind === 'move-clock') return { do: kind, byMs: draw.of([-24, -1, 1, 24]) * hourMs }
  return kind === 'lose-network' ? { do: kind, forMs: 300 + draw.below(900) } : { do: 'stop-worker' }
}

const recoveryTriggers = [...(['reload', 'reload', 'online', 'online'] as const), 'by-itself' as const]

/** Draws at least twenty edits, most by the cart driver and some by touch, with four disruptions and a server kill between them. */
export const drawFaultSequence = (seed: number): FaultSequence => {
  const draw = randomPicker(seededRandom(seed))
  const steps: SequenceStep[] = Array.from({ length: 22 }, () => drawEdit(draw))
  const putIn = (step: SequenceStep): void => void steps.splice(1 + draw.below(steps.length), 0, step)
  if (draw.below(4) === 0) putIn({ do: 'clear', tab: draw.below(2) as TabIndex })
  putIn({ do: 'choose', which: draw.below(6) })
  for (let taps = 0; taps < 3; taps += 1) putIn({ do: draw.of(['tap-more', 'tap-fewer']), line: draw.below(12) })
  for (let looks = 0; looks < 5; looks += 1) putIn({ do: 'look', forMs: 50 + draw.below(400) })
  for (let troubles = 0; troubles < 4; troubles += 1) putIn(drawDisruption(draw))
  putIn({ do: 'kill-server' })
  return { seed, steps, recoveryTrigger: draw.of(recoveryTriggers) }
}
