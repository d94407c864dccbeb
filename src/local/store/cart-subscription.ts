import { liveQuery } from 'dexie'
import { readCart } from '../cart.ts'
import { retryOnReopenedDatabase } from '../recovery/with-database-retry.ts'
import { deviceTimers, type Timers } from '../transport/timers.ts'
import { savedStatus, savingStatus } from './cart-status.ts'
import { type CartView, reuseUnchangedLines } from './cart-view.ts'
import type { LocalDatabase } from './database.ts'
import type { CartKey } from './rows.ts'

type Observer = { next: (view: CartView) => void; error: (reason: unknown) => void }

/** A cart with its current value, for any number of observers. */
export type CartSubscription = {
  hasValue: () => boolean
  getValue: () => CartView | undefined
  /** The returned function unsubscribes. */
  subscribe: (next: Observer['next'], error: Observer['error']) => () => void
  /** Shows "Saving…" until `work` has stored a change that the screen already shows, and the shown cart contains it. */
  saving: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/** Milliseconds that sending must last before the screen says so: a label that disappears at once only distracts. */
export const sendingLabelDelayMs = 400

/** The view that is shown for the latest cart: "Saving…" during writes, and "Sending…" only after a delay. */
const createVisibleCart = (timers: Timers, onChange: (view: CartView) => void) => {
  let latest: CartView | undefined
  let visible: CartView | undefined
  let cancelDelay = () => {}
  let pendingWrites = 0

  const show = (view: CartView) => {
    visible = view
    onChange(view)
  }
  const update = () => {
    cancelDelay()
    if (!latest) return
    if (pendingWrites > 0) return show({ ...latest, status: savingStatus })
    if (latest.status.kind !== 'sending' || visible?.status.kind === 'sending') return show(latest)
    const view = latest
    cancelDelay = timers.after(sendingLabelDelayMs, () => show(view))
    show({ ...view, status: savedStatus })
  }
  return {
    current: () => visible,
    receive: (view: CartView) => {
      latest = reuseUnchangedLines(view, visible)
      update()
    },
    /** Counts a write that starts (1) or ends (-1). */
    countWrite: (change: 1 | -1) => {
      pendingWrites += change
      update()
    },
    /** Shows nothing until the next cart is received. */
    clear: () => {
      cancelDelay()
      latest = undefined
      visible = undefined
    },
  }
}

/** Reads a cart once per change for all observers on the page. */
export const createCartSubscription = (
  db: LocalDatabase,
  { jobId, orderMethod }: CartKey,
  timers: Timers = deviceTimers,
): CartSubscription => {
  const observers = new Set<Observer>()
  const { current, receive, countWrite, clear } = createVisibleCart(timers, (view) => {
    for (const { next } of observers) next(view)
  })
  let reading: { unsubscribe: () => void } | undefined
  let reads = 0
  let newestRead = 0

  const read = async () => {
    reads += 1
    const number = reads
    // A live query that fails because the connection was closed reports nothing, and waits for the next change.
    return { number, view: await retryOnReopenedDatabase(db, () => readCart(db, jobId, orderMethod)) }
  }
  // A read that started before one already received may lack a newer change.
  const onRead = ({ number, view }: Awaited<ReturnType<typeof read>>) => {
    if (number < newestRead) return
    newestRead = number
    receive(view)
  }
  const onError = (reason: unknown) => {
    for (const { error } of observers) error(reason)
  }
  return {
    hasValue: () => current() !== undefined,
    getValue: current,
    subscribe: (next, error) => {
      const observer = { next, error }
      observers.add(observer)
      // The value may have changed since the component rendered.
      const view = current()
      if (view) next(view)
      reading ??= liveQuery(read).subscribe(onRead, onError)
      return () => {
        observers.delete(observer)
        if (observers.size > 0) return
        reading?.unsubscribe()
        reading = undefined
        // Without observers the value is not updated, so it must not be shown later.
        clear()
      }
    },
    saving: async (work) => {
      countWrite(1)
      try {
        const result = await work()
        if (observers.size > 0) onRead(await read())
        return result
      } finally {
        countWrite(-1)
      }
    },
  }
}
