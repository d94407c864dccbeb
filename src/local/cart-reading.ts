import { liveQuery } from 'dexie'
import { readCart } from './cart.ts'
import { type CartView, keepLines, withoutSending } from './cart-view.ts'
import type { CartKey, LocalDatabase } from './database.ts'
import { deviceTimers, type Timers } from './timers.ts'

type Observer = { next: (view: CartView) => void; error: (reason: unknown) => void }

/** A cart as it stands, for those who look on: the value there is, and each one that comes. */
export type CartReading = {
  hasValue: () => boolean
  getValue: () => CartView | undefined
  /** The returned function ends it. */
  subscribe: (next: Observer['next'], error: Observer['error']) => () => void
}

/** Milliseconds something has to be on its way before the screen says so: a word that is gone in a blink only disturbs. */
export const sendingWordsMs = 400

/** One reading of a cart for all of the page that shows it: each change is read once, however many look on. */
export const cartReading = (
  db: LocalDatabase,
  { jobId, orderMethod }: CartKey,
  timers: Timers = deviceTimers,
): CartReading => {
  const observers = new Set<Observer>()
  let last: CartView | undefined
  let stop: (() => void) | undefined
  const read = async () => keepLines(await readCart(db, jobId, orderMethod), last)
  const show = (view: CartView) => {
    last = view
    for (const { next } of observers) next(view)
  }
  const start = () => {
    let cancel = () => {}
    const reading = liveQuery(read).subscribe({
      next: (view) => {
        cancel()
        if (view.status.kind !== 'sending' || last?.status.kind === 'sending') return show(view)
        cancel = timers.after(sendingWordsMs, () => show(view))
        show(keepLines(withoutSending(view), last))
      },
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
        last = undefined
      }
    },
  }
}
