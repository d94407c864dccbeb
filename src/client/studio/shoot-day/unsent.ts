import type { Infer } from 'superstruct'
import { markPerson, undoMark, walkUp } from '../../../contract/studio/shoots.ts'
import { verdict } from '../../../domain/verdict.ts'
import type { Answered, Ask } from '../../../local/ask.ts'
import { createSignal, type Signal } from '../../device/signal.ts'

type OfJob = { studioId: number; jobId: number }

/** What was done at this tablet, whole: it is told again word for word until the server has it. */
export type Told =
  | { does: 'mark'; body: Infer<(typeof markPerson)['body']> }
  | { does: 'walkUp'; body: Infer<(typeof walkUp)['body']> }
  | { does: 'undo'; key: string }

/** `who` is shown while it waits; `refused` says why the server did not take it. */
export type Unsent = { told: Told; who: string; refused?: string }

export type UnsentWays = {
  place: OfJob
  ask: Ask
  /** Where it outlives a reload of the tab. */
  keep: { read: () => unknown; write: (list: readonly Unsent[]) => void }
  /** Calls back after so many milliseconds. */
  later: (milliseconds: number, run: () => void) => void
  /** What became of one that was sent. */
  heard: (sent: Unsent, answer: Answered<unknown>) => void
}

/** Milliseconds until what could not be sent is sent again. */
const againMs = 3_000

const isList = (kept: unknown): kept is Unsent[] =>
  Array.isArray(kept) && kept.every((one) => typeof one === 'object' && one !== null && 'told' in one && 'who' in one)

const send = ({ ask, place }: UnsentWays, told: Told): Promise<Answered<unknown>> => {
  if (told.does === 'mark') return ask(markPerson, { params: place, body: told.body, idempotencyKey: told.body.key })
  if (told.does === 'walkUp') return ask(walkUp, { params: place, body: told.body, idempotencyKey: told.body.key })
  return ask(undoMark, { params: { ...place, key: told.key }, body: {} })
}

/** A session that ended comes back once somebody signs in: what was done until then is told then. */
const isDelayed = (answer: Answered<unknown>): boolean => {
  const meant = verdict(answer.status, answer.ok ? null : (answer.problem ?? null))
  return meant === 'retry' || meant === 'session-unknown'
}

/** What waits to be sent, in its order. */
export type Outgoing = {
  list: Signal<readonly Unsent[]>
  /** Keeps it, and sends it as soon as that goes. */
  tell: (one: Unsent) => void
  /** Sends what waits, now. */
  wake: () => void
  /** Gives up what was refused. */
  drop: (one: Unsent) => void
}

/**
 * The check-ins of this tablet on their way (a network that blinks loses none): kept first, then sent one after the other under their
 * own keys, until each has been heard or refused.
 */
export const createOutgoing = (ways: UnsentWays): Outgoing => {
  const before = ways.keep.read()
  const list = createSignal<readonly Unsent[]>(isList(before) ? before : [])
  let isSending = false
  let isWaiting = false
  const set = (next: readonly Unsent[]) => {
    list.set(next)
    ways.keep.write(next)
  }
  const waitAndSee = () => {
    if (isWaiting) return
    isWaiting = true
    ways.later(againMs, () => {
      isWaiting = false
      void drain()
    })
  }
  const settle = (one: Unsent, answer: Answered<unknown>) => {
    if (answer.ok) set(list.current().filter((other) => other !== one))
    else set(list.current().map((other) => (other === one ? { ...one, refused: answer.errors.join(' ') } : other)))
    ways.heard(one, answer)
  }
  const drain = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    try {
      for (;;) {
        const next = list.current().find((one) => one.refused === undefined)
        if (!next) return
        const answer = await send(ways, next.told)
        if (isDelayed(answer)) return waitAndSee()
        settle(next, answer)
      }
    } finally {
      isSending = false
    }
  }
  return {
    list,
    tell: (one) => {
      set([...list.current(), one])
      void drain()
    },
    wake: () => void drain(),
    drop: (one) => set(list.current().filter((other) => other !== one)),
  }
}
