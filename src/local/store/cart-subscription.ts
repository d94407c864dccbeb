import { liveQuery } from 'dexie'
import { readCart } from '../cart.ts'
import { deviceTimers, type Timers } from '../transport/timers.ts'
import { savedStatus, savingStatus } from './cart-status.ts'
import { type CartView, reuseUnchangedLines } from './cart-view.ts'
import type { CartKey, LocalDatabase } from './database.ts'

type Observer = { next: (view: CartView) => void; error: (reason: unknown) => void }

/** A cart as it stands, for those who look on: the value there is, and each one that comes. */
export type CartSubscription = {
  hasValue: () => boolean
  getValue: () => CartView | undefined
  /** The returned function ends it. */
  subscribe: (next: Observer['next'], error: Observer['error']) => () => void
  /** Says "Saving…" until the work has written a change the screen already shows, and the cart that is shown has the change in it. */
  saving: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/** Milliseconds something has to be on its way before the screen says so: a word that is gone in a blink only disturbs. */
export const sendingLabelDelayMs = 400

/** One reading of a cart for all of the page that shows it: each change is read once, however many look on. */
export const createCartSubscription = (
  db: LocalDatabase,
  { jobId, orderMethod }: CartKey,
  timers: Timers = deviceTimers,
): CartSubscription => {
  const observers = new Set<Observer>()
  /** What was read last, and what of it is shown. */
  let latest: CartView | undefined
  let last: CartView | undefined
  let stop: (() => void) | undefined
  let cancel = () => {}
  let unwritten = 0
  let reads = 0
  let newestRead = 0

  const show = (view: CartView) => {
    last = view
    for (const { next } of observers) next(view)
  }
  const showLatest = () => {
    cancel()
    if (!latest) return
    if (unwritten > 0) return show({ ...latest, status: savingStatus })
    if (latest.status.kind !== 'sending' || last?.status.kind === 'sending') return show(latest)
    const view = latest
    cancel = timers.after(sendingLabelDelayMs, () => show(view))
    show({ ...view, status: savedStatus })
  }
  const read = async () => {
    reads += 1
    const number = reads
    return { number, view: await readCart(db, jobId, orderMethod) }
  }
  // What was read before a change must not be shown after it.
  const take = ({ number, view }: Awaited<ReturnType<typeof read>>) => {
    if (number < newestRead) return
    newestRead = number
    latest = reuseUnchangedLines(view, last)
    showLatest()
  }
  const start = () => {
    const reading = liveQuery(read).subscribe({
      next: take,
      error: (reason) => {
        for (const { error } of observers) error(reason)
      },
    })
    return () => {
      cancel()
      reading.unsubscribe()
    }
  }
  return {
    hasValue: () => last !== undefined,
    getValue: () => last,
    subscribe: (next, error) => {
      const observer = { next, error }
      observers.add(observer)
      // It may have changed between the drawing and now.
      if (last) next(last)
      stop ??= start()
      return () => {
        observers.delete(observer)
        if (observers.size > 0) return
        stop?.()
        stop = undefined
        // Nobody listens any more: what is read next is the truth.
        latest = undefined
        last = undefined
      }
    },
    saving: async (work) => {
      unwritten += 1
      showLatest()
      try {
        const done = await work()
        if (observers.size > 0) take(await read())
        return done
      } finally {
        unwritten -= 1
        showLatest()
      }
    },
  }
}
