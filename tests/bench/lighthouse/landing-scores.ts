import { median } from '#support/measurement/median.ts'
import { type Category, categories, type LighthouseRun, runLighthouse, scoreTargets } from './lighthouse-run.ts'

export const landingPaths = ['/', '/riverside'] as const

export type LandingScores = {
  path: string
  medians: Record<Category, number>
  /** The run whose performance score is the median. */
  medianRun: LighthouseRun
}

/** Median scores of a landing page. The runs are sequential, so that they do not compete for the processor. */
export const measureLandingScores = async (base: string, path: string, visits = 5): Promise<LandingScores> => {
  const seen: LighthouseRun[] = []
  for (let n = 0; n < visits; n += 1) seen.push(await runLighthouse(base + path))
  const byPerformance = seen.toSorted((one, other) => one.scores.performance - other.scores.performance)
  const middle = byPerformance[Math.floor(visits / 2)]
  if (!middle) throw new Error('no visit was made')
  const medians = Object.fromEntries(
    categories.map((category) => [category, median(seen.map(({ scores: points }) => points[category]))]),
  ) as Record<Category, number> // one entry for each category
  return { path, medians, medianRun: middle }
}

/** Formats the scores for the terminal. */
export const formatLandingScores = ({ path, medians, medianRun: middle }: LandingScores): string => {
  const points = categories.map((category) => {
    const mark = medians[category] >= scoreTargets[category] ? 'ok  ' : 'LOW '
    return `${mark} ${path} ${category}: ${medians[category]} of ${scoreTargets[category]}`
  })
  const times = Object.entries(middle.timings).map(([name, value]) => `     ${name}: ${value}`)
  const failing = middle.failing.map(
    ({ category, audit, title, found }) => `     ${category} › ${audit}: ${title}\n       ${found}`,
  )
  return [...points, ...times, ...failing].join('\n')
}
