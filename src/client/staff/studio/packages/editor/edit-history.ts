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
  const extendsStep = group !== null && group === history.group
  const past = extendsStep ? history.past : [...history.past.slice(1 - maxSteps), history.now]
  return { now: next, past, future: [], group }
}

/** Ends a group: the next change is a new step. */
export const endGroup = <Value>(history: EditHistory<Value>): EditHistory<Value> =>
  history.group === null ? history : { ...history, group: null }

export const undo = <Value>(history: EditHistory<Value>): EditHistory<Value> => {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return { now: previous, past: history.past.slice(0, -1), future: [history.now, ...history.future], group: null }
}

export const redo = <Value>(history: EditHistory<Value>): EditHistory<Value> => {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { now: next, past: [...history.past, history.now], future, group: null }
}
