import { type Chance, chanceFrom, type Fault, times } from '#support/network/fault-plans.ts'

/** One of the two tabs of a phone. */
export type Tab = 0 | 1

/** What somebody does to a cart. `line` and `which` are counted round what there is. */
export type Edit =
  | { do: 'add'; tab: Tab; which: number; quantity: number }
  | { do: 'set-quantity'; tab: Tab; line: number; quantity: number }
  | { do: 'write'; tab: Tab; line: number; text: string }
  | { do: 'remove'; tab: Tab; line: number }
  | { do: 'put-back' | 'clear'; tab: Tab }
  /** At the screen, with a finger. */
  | { do: 'tap-more' | 'tap-fewer'; line: number }
  /** At the screens, from the cart to the cart. */
  | { do: 'choose'; which: number }

/** What befalls them. */
export type Trouble =
  /** One for each of the next requests that bring the cart. */
  | { do: 'faults'; faults: Fault[] }
  /** A tab ends in the middle of an edit. */
  | { do: 'close-tab' | 'crash-tab'; tab: Tab; which: number }
  | { do: 'stop-worker' | 'kill-server' }
  | { do: 'move-clock'; byMs: number }
  /** Nobody is there for so long: connections are refused. */
  | { do: 'lose-network'; forMs: number }

export type Step = Edit | Trouble | { do: 'look'; forMs: number }

/** How the network is noticed to be back. */
export type Healing = 'reload' | 'online' | 'by-itself'

export type Sequence = { seed: number; steps: Step[]; healing: Healing }

/** Faults that come by chance to every request with a cart in it, whatever else happens. */
export const commonOdds = [
  { fault: 'cut-answer', chance: 0.3 },
  { fault: 'cut-midway', chance: 0.1 },
  { fault: 'refuse', chance: 0.05 },
  { fault: 'cut-request', chance: 0.05 },
] as const

const hourMs = 3_600_000

type Draw = {
  below: (count: number) => number
  of: <Value>(values: readonly Value[]) => Value
}

export const drawFrom = (chance: Chance): Draw => {
  const below = (count: number): number => Math.floor(chance() * count)
  return { below, of: (values) => values[below(values.length)] as never } // one of them, whatever they are
}

const kindsOfEdit = [
  ...times(4, 'none').map(() => 'add' as const),
  ...(['set-quantity', 'set-quantity', 'set-quantity', 'write', 'write', 'remove', 'put-back'] as const),
]

const drawEdit = (draw: Draw): Edit => {
  const kind = draw.of(kindsOfEdit)
  const at = { tab: draw.below(2) as Tab, line: draw.below(12) }
  if (kind === 'add') return { do: kind, tab: at.tab, which: draw.below(6), quantity: 1 + draw.below(3) }
  if (kind === 'set-quantity') return { do: kind, ...at, quantity: draw.below(5) }
  if (kind === 'write') return { do: kind, ...at, text: draw.of(['Ada', 'Bo', 'Cy K.', '']) }
  return kind === 'remove' ? { do: kind, ...at } : { do: kind, tab: at.tab }
}

const drawFaults = (draw: Draw): Fault[] => {
  const kind = draw.of(['drop', 'drop', 'cut', 'half', 'busy', 'hang'] as const)
  const count = 1 + draw.below(4)
  if (kind === 'drop') return times(count, 'cut-answer')
  if (kind === 'cut') return [...times(count, 'refuse'), 'cut-answer']
  if (kind === 'half') return [...times(count, 'cut-midway'), 'cut-request']
  // Nobody waits for long here: a request that hangs takes ten seconds of a phone's patience.
  return kind === 'busy' ? [...times(2, 'maintenance'), 'cut-answer'] : [draw.of(['hang', 'hang-answer'])]
}

const drawTrouble = (draw: Draw): Trouble => {
  const kind = draw.of(['faults', 'faults', 'close-tab', 'crash-tab', 'stop-worker', 'move-clock', 'lose-network'])
  if (kind === 'faults') return { do: kind, faults: drawFaults(draw) }
  if (kind === 'close-tab' || kind === 'crash-tab') {
    return { do: kind, tab: draw.below(2) as Tab, which: draw.below(6) }
  }
  if (kind === 'move-clock') return { do: kind, byMs: draw.of([-24, -1, 1, 24]) * hourMs }
  return kind === 'lose-network' ? { do: kind, forMs: 300 + draw.below(900) } : { do: 'stop-worker' }
}

const healings = [...(['reload', 'reload', 'online', 'online'] as const), 'by-itself' as const]

/** At least twenty edits, most by a quick hand and some by taps, with four troubles and a killed server in between. */
export const drawSequence = (seed: number): Sequence => {
  const draw = drawFrom(chanceFrom(seed))
  const steps: Step[] = Array.from({ length: 22 }, () => drawEdit(draw))
  const putIn = (step: Step): void => void steps.splice(1 + draw.below(steps.length), 0, step)
  if (draw.below(4) === 0) putIn({ do: 'clear', tab: draw.below(2) as Tab })
  putIn({ do: 'choose', which: draw.below(6) })
  for (let taps = 0; taps < 3; taps += 1) putIn({ do: draw.of(['tap-more', 'tap-fewer']), line: draw.below(12) })
  for (let looks = 0; looks < 5; looks += 1) putIn({ do: 'look', forMs: 50 + draw.below(400) })
  for (let troubles = 0; troubles < 4; troubles += 1) putIn(drawTrouble(draw))
  putIn({ do: 'kill-server' })
  return { seed, steps, healing: draw.of(healings) }
}
