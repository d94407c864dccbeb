import { median } from '#support/measurement/median.ts'

/** Two implementations of the same work: ours, and the baseline it is compared with. */
export type RateComparison = {
  /** Each prepares one round, which is not timed, and returns the work to time. */
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
export const compareRates = async ({ ours, baseline, rounds }: RateComparison): Promise<ComparisonResult> => {
  const measuredRounds: { oursMs: number; baselineMs: number }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const oursFirstMs = round % 2 === 0 ? await timeRound(ours) : undefined
    const baselineMs = await timeRound(baseline)
    const oursMs = oursFirstMs ?? (await timeRound(ours))
    if (round > 0) measuredRounds.push({ oursMs, baselineMs })
  }
  return {
    oursMs: median(measuredRounds.map(({ oursMs }) => oursMs)),
    baselineMs: median(measuredRounds.map(({ baselineMs }) => baselineMs)),
    ratio: median(measuredRounds.map(({ oursMs, baselineMs }) => baselineMs / oursMs)),
  }
}
