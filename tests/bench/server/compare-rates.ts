import { median } from '#support/measurement/median.ts'

/** Two implementations of the same work: ours, and the bare baseline it is compared with. */
export type RateComparison = {
  /** Prepares what one round of one side consumes. Not timed. */
  ours: () => Promise<() => Promise<void>>
  baseline: () => Promise<() => Promise<void>>
  rounds: number
}

export type ComparisonResult = { oursMs: number; baselineMs: number; ratio: number }

const timeRound = async (prepare: () => Promise<() => Promise<void>>): Promise<number> => {
  const work = await prepare()
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Runs both sides in rounds, with alternating order. Returns the median ratio of the rates within one round, because other load on the
 * machine slows both sides of a round alike. The first round warms up and is not counted.
 */
export const compareRates = async ({ ours, baseline: bare, rounds }: RateComparison): Promise<ComparisonResult> => {
  const seen: { oursMs: number; bareMs: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 === 0 ? await timeRound(ours) : undefined
    const bareMs = await timeRound(bare)
    const oursMs = first ?? (await timeRound(ours))
    if (round > 0) seen.push({ oursMs, bareMs })
  }
  return {
    oursMs: median(seen.map(({ oursMs }) => oursMs)),
    baselineMs: median(seen.map(({ bareMs }) => bareMs)),
    ratio: median(seen.map(({ oursMs, bareMs }) => bareMs / oursMs)),
  }
}
