import { useSyncExternalStore } from 'react'

/** A value that several parts of the page observe. It exists as long as the tab. */
export type Signal<Value> = {
  current: () => Value
  set: (value: Value) => void
  subscribe: (listener: () => void) => () => void
}

export const createSignal = <Value>(initialValue: Value): Signal<Value> => {
  let value = initialValue
  const listeners = new Set<() => void>()
  return {
    current: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useSignal = <Value>(signal: Signal<Value>): Value =>
  useSyncExternalStore(signal.subscribe, signal.current, signal.current)
