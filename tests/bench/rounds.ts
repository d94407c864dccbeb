import { median } from './median.ts'

/** Two ways to the same work: ours, with all that belongs to it, and the bare one it is held against. */
export type Contest = {
  /** Makes ready what one round of one side uses up; its time is not counted. */
  ours: () => Promise<() => Promise<void>>
  bare: () => Promise<() => Promise<void>>
  rounds: number
}

export type Outcome = { oursMs: number; bareMs: number; ratio: number }

const timed = async (prepare: () => Promise<() => Promise<void>>): Promise<number> => {
  const work = await prepare()
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Runs both ways in turn, who goes first changing each time, so that a machine with other work slows both alike; the ratio is of the
 * rates, from the medians. The first round warms up and is not counted.
 */
export const compete = async ({ ours, bare, rounds }: Contest): Promise<Outcome> => {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)
    for (const side of order) {
      const took = await timed(side === 'ours' ? ours : bare)
      if (round > 0) times[side].push(took)
    }
  }
  const oursMs = median(times.ours)
  const bareMs = median(times.bare)
  return { oursMs, bareMs, ratio: bareMs / oursMs }
}
