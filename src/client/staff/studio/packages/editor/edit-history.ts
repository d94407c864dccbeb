/** An edited value with its undo and redo stacks. */
export type EditHistory<Value> = {
  now: Value
  past: readonly Value[]
  future: readonly Value[]
  /** Group of the last change. Further changes of this group extend the same step. */
  group: string | null
}

/** Limit of undo steps. */
const maxSteps = 100

export const startHistory = <Value>(now: Value): EditHistory<Value> => ({ now, past: [], future: [], group: null })

/** Records a change as a new step, or extends the current step if the group is the same. */
export const recordChange = <Value>(
  history: EditHistory<Value>,
  next: Value,
  group: string | null = null,
): EditHistory<Value> => {
  if (next === history.now) return history
  const goesOn = group !== null && group === history.group
  const past = goesOn ? history.past : [...history.past.slice(1 - maxSteps), history.now]
  return { now: next, past, future: [], group }
}

/** Ends a group: the next change is a new step. */
export const endGroup = <Value>(history: EditHistory<Value>): EditHistory<Value> =>
  history.group === null ? history : { ...history, group: null }

export const undo = <Value>(history: EditHistory<Value>): EditHistory<Value> => {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { now: before, past: history.past.slice(0, -1), future: [history.now, ...history.future], group: null }
}

export const redo = <Value>(history: EditHistory<Value>): EditHistory<Value> => {
  const [next, ...rest] = history.future
  if (next === undefined) return history
  return { now: next, past: [...history.past, history.now], future: rest, group: null }
}
