import { median } from '#support/measurement/median.ts'
import { type Category, categories, type LighthouseRun, runLighthouse, scoreTargets } from './lighthouse-run.ts'

export const landingPaths = ['/', '/riverside', '/riverside/code/ADALVL'] as const

export type LandingScores = {
  path: string
  medians: Record<Category, number>
  /** The run whose performance score is the median. */
  medianRun: LighthouseRun
}

/** Median scores of a landing page. The runs are sequential, so that they do not compete for the processor. */
export const measureLandingScores = async (base: string, path: string, runCount = 5): Promise<LandingScores> => {
  const runs: LighthouseRun[] = []
  for (let n = 0; n < runCount; n += 1) runs.push(await runLighthouse(base + path))
  const byPerformance = runs.toSorted((a, b) => a.scores.performance - b.scores.performance)
  const medianRun = byPerformance[Math.floor(runCount / 2)]
  if (!medianRun) throw new Error('no run was made')
  const medians = Object.fromEntries(
    categories.map((category) => [category, median(runs.map(({ scores }) => scores[category]))]),
  ) as Record<Category, number> // one entry for each category
  return { path, medians, medianRun }
}

/** Formats the scores for the terminal. */
export const formatLandingScores = ({ path, medians, medianRun }: LandingScores): string => {
  const scoreLines = categories.map((category) => {
    const mark = medians[category] >= scoreTargets[category] ? 'ok  ' : 'LOW '
    return `${mark} ${path} ${category}: ${medians[category]} of ${scoreTargets[category]}`
  })
  const timingLines = Object.entries(medianRun.timings).map(([name, value]) => `     ${name}: ${value}`)
  const failingLines = medianRun.failing.map(
    ({ category, audit, title, details }) => `     ${category} › ${audit}: ${title}\n       ${details}`,
  )
  return [...scoreLines, ...timingLines, ...failingLines].join('\n')
}
