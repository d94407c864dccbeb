/** A thing that is edited, with what it was before and what was taken back. */
export type History<Value> = {
  now: Value
  past: readonly Value[]
  future: readonly Value[]
  /** What the last change was of: the next one of the same goes into the same step. */
  group: string | null
}

/** More steps than anybody goes back. */
const mostSteps = 100

export const beginHistory = <Value>(now: Value): History<Value> => ({ now, past: [], future: [], group: null })

/** A change as a step of its own, or, of a group, in the step that the group's last change began. */
export const change = <Value>(history: History<Value>, next: Value, group: string | null = null): History<Value> => {
  if (next === history.now) return history
  const goesOn = group !== null && group === history.group
  const past = goesOn ? history.past : [...history.past.slice(1 - mostSteps), history.now]
  return { now: next, past, future: [], group }
}

/** Ends a group: the next change is a step of its own. */
export const endGroup = <Value>(history: History<Value>): History<Value> =>
  history.group === null ? history : { ...history, group: null }

export const undo = <Value>(history: History<Value>): History<Value> => {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { now: before, past: history.past.slice(0, -1), future: [history.now, ...history.future], group: null }
}

export const redo = <Value>(history: History<Value>): History<Value> => {
  const [next, ...rest] = history.future
  if (next === undefined) return history
  return { now: next, past: [...history.past, history.now], future: rest, group: null }
}
