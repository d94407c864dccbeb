import type { Result } from 'lighthouse'
import lighthouse from 'lighthouse'
import { startDebuggedChromium } from './debugged-chromium.ts'

/** The categories we look at, and what each should reach on an idle machine. */
export const scoreTargets = { performance: 97, accessibility: 100, 'best-practices': 100 } as const
export type Category = keyof typeof scoreTargets
export const categories = Object.keys(scoreTargets) as Category[] // the object above has no other keys

/** One reading of a page: points of a hundred by category, the timings behind them, and what cost points. */
export type LighthouseRun = {
  scores: Record<Category, number>
  timings: Record<string, string>
  failing: { category: Category; audit: string; title: string; found: string }[]
}

const timings = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

const foundBy = (audit: Result['audits'][string]): string => {
  const items = audit.details && 'items' in audit.details ? audit.details.items : []
  return JSON.stringify(items).slice(0, 400)
}

const failingOf = (result: Result, category: Category): LighthouseRun['failing'] =>
  (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = result.audits[id]
    if (!audit || audit.score === null || audit.score >= 0.9) return []
    // Insights weigh nothing and explain the timings; elsewhere what weighs nothing is advice.
    if (weight === 0 && category !== 'performance') return []
    return [{ category, audit: id, title: audit.displayValue ?? audit.title, found: foundBy(audit) }]
  })

const lighthouseRunOf = (result: Result): LighthouseRun => ({
  scores: Object.fromEntries(
    categories.map((category) => [category, Math.round((result.categories[category]?.score ?? 0) * 100)]),
  ) as LighthouseRun['scores'], // one entry for each category
  timings: Object.fromEntries(timings.map((id) => [id, result.audits[id]?.displayValue ?? '?'])),
  failing: categories.flatMap((category) => failingOf(result, category)),
})

/** Visits a page as Lighthouse does on a phone: a fresh browser, a slow network and processor, nothing stored. */
export const runLighthouse = async (url: string): Promise<LighthouseRun> => {
  const chromium = await startDebuggedChromium()
  try {
    const ran = await lighthouse(url, { port: chromium.port, onlyCategories: [...categories], logLevel: 'error' })
    if (!ran) throw new Error(`Lighthouse gave no answer for ${url}`)
    if (ran.lhr.runtimeError) throw new Error(ran.lhr.runtimeError.message)
    return lighthouseRunOf(ran.lhr)
  } finally {
    await chromium.close()
  }
}
