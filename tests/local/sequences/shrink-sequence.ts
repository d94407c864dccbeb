import { play } from './play-sequence.ts'
import type { Step } from './sequence-plan.ts'

export type ShrunkFailure = { seed: number; what: string; trace: string[] }

const foundBy = async (seed: number, steps: readonly Step[]): Promise<string | null> => {
  try {
    await play(seed, steps)
    return null
  } catch (reason) {
    return reason instanceof Error ? reason.message : String(reason)
  }
}

/** The first steps that may be left out while something is still found: ever fewer at a time, until each is needed. */
const shortened = async (seed: number, steps: readonly Step[]): Promise<readonly Step[]> => {
  let left = steps
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let place = left.length - size; place > -size; place -= size) {
      const from = Math.max(0, place)
      const fewer = [...left.slice(0, from), ...left.slice(from + size)]
      if (fewer.length < left.length && (await foundBy(seed, fewer)) !== null) left = fewer
    }
  }
  return left
}

/** What goes wrong in a sequence, told with the fewest steps that lead there; null where nothing does. */
export const findIn = async (seed: number, steps: readonly Step[], isTold: boolean): Promise<ShrunkFailure | null> => {
  const first = await foundBy(seed, steps)
  if (first === null) return null
  if (!isTold) return { seed, what: first, trace: [] }
  const fewest = await shortened(seed, steps)
  const trace: string[] = []
  const what = await play(seed, fewest, (line) => trace.push(line)).then(
    () => first,
    (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
  )
  return { seed, what, trace }
}
