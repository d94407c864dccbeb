import { liveQuery } from 'dexie'
import { readCart } from './cart.ts'
import { type CartView, keepLines } from './cart-view.ts'
import type { CartKey, LocalDatabase } from './database.ts'

type Observer = { next: (view: CartView) => void; error: (reason: unknown) => void }

/** A cart as it stands, for those who look on: the value there is, and each one that comes. */
export type CartReading = {
  hasValue: () => boolean
  getValue: () => CartView | undefined
  /** The returned function ends it. */
  subscribe: (next: Observer['next'], error: Observer['error']) => () => void
}

/** One reading of a cart for all of the page that shows it: each change is read once, however many look on. */
export const cartReading = (db: LocalDatabase, { jobId, orderMethod }: CartKey): CartReading => {
  const observers = new Set<Observer>()
  let last: CartView | undefined
  let stop: (() => void) | undefined
  const read = async () => keepLines(await readCart(db, jobId, orderMethod), last)
  const start = () => {
    const reading = liveQuery(read).subscribe({
      next: (view) => {
        last = view
        for (const { next } of observers) next(view)
      },
      error: (reason) => {
        for (const { error } of observers) error(reason)
      },
    })
    return () => reading.unsubscribe()
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
