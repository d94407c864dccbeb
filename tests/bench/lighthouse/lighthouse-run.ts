import type { Result } from 'lighthouse'
import lighthouse from 'lighthouse'
import { startDebuggedChromium } from './debugged-chromium.ts'

/** The categories we measure, and the target of each on an idle machine. */
export const scoreTargets = { performance: 97, accessibility: 100, 'best-practices': 100 } as const
export type Category = keyof typeof scoreTargets
export const categories = Object.keys(scoreTargets) as Category[] // the object above has no other keys

/** One run on a page: scores of 100 by category, the timings behind them, and the audits that lost points. */
export type LighthouseRun = {
  scores: Record<Category, number>
  timings: Record<string, string>
  failing: { category: Category; audit: string; title: string; details: string }[]
}

const timings = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

const formatAuditDetails = (audit: Result['audits'][string]): string => {
  const items = audit.details && 'items' in audit.details ? audit.details.items : []
  return JSON.stringify(items).slice(0, 400)
}

const findFailingAudits = (result: Result, category: Category): LighthouseRun['failing'] =>
  (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = result.audits[id]
    if (!audit || audit.score === null || audit.score >= 0.9) return []
    // Insights have weight 0 and explain the timings. In other categories an audit with weight 0 is only advice.
    if (weight === 0 && category !== 'performance') return []
    return [{ category, audit: id, title: audit.displayValue ?? audit.title, details: formatAuditDetails(audit) }]
  })

const toLighthouseRun = (result: Result): LighthouseRun => ({
  scores: Object.fromEntries(
    categories.map((category) => [category, Math.round((result.categories[category]?.score ?? 0) * 100)]),
  ) as LighthouseRun['scores'], // one entry for each category
  timings: {
    ...Object.fromEntries(timings.map((id) => [id, result.audits[id]?.displayValue ?? '?'])),
    "the machine's benchmark index": String(Math.round(result.environment.benchmarkIndex)),
  },
  failing: categories.flatMap((category) => findFailingAudits(result, category)),
})

/** Runs Lighthouse on a page as on a phone: a new browser, a slow network and processor, empty storage. */
export const runLighthouse = async (url: string): Promise<LighthouseRun> => {
  const chromium = await startDebuggedChromium()
  try {
    const result = await lighthouse(url, { port: chromium.port, onlyCategories: [...categories], logLevel: 'error' })
    if (!result) throw new Error(`Lighthouse returned no result for ${url}`)
    if (result.lhr.runtimeError) throw new Error(result.lhr.runtimeError.message)
    return toLighthouseRun(result.lhr)
  } finally {
    await chromium.close()
  }
}
