import { play } from './play-sequence.ts'
import type { Step } from './sequence-plan.ts'

export type ShrunkFailure = { seed: number; what: string; trace: string[] }

const failureOf = async (seed: number, steps: readonly Step[]): Promise<string | null> => {
  try {
    await play(seed, steps)
    return null
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason)
  }
}

/** Removes steps as long as the sequence still fails, fewer at a time, until every step is needed. */
const shorten = async (seed: number, steps: readonly Step[]): Promise<readonly Step[]> => {
  let remaining = steps
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let position = remaining.length - size; position > -size; position -= size) {
      const from = Math.max(0, position)
      const fewer = [...remaining.slice(0, from), ...remaining.slice(from + size)]
      if (fewer.length < remaining.length && (await failureOf(seed, fewer)) !== null) remaining = fewer
    }
  }
  return remaining
}

/**
 * The failure of a sequence; null if it does not fail. `withTrace`: also shortens the sequence to the steps that cause
 * the failure, and logs them.
 */
export const findFailure = async (
  seed: number,
  steps: readonly Step[],
  withTrace: boolean,
): Promise<ShrunkFailure | null> => {
  const first = await failureOf(seed, steps)
  if (first === null) return null
  if (!withTrace) return { seed, what: first, trace: [] }
  const shortest = await shorten(seed, steps)
  const trace: string[] = []
  const what = await play(seed, shortest, (line) => trace.push(line)).then(
    () => first,
    (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
  )
  return { seed, what, trace }
}
