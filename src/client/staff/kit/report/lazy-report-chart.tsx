import { lazy, Suspense } from 'react'
import type { ReportChart as Chart } from '#contract/system/reports.ts'
import styles from './report-screen.module.css'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

/** Whether there are at least two amounts: fewer are nothing to compare. */
export const hasChart = (chart: Chart | null | undefined): chart is Chart =>
  chart !== null && chart !== undefined && chart.points.length > 1

/** A bar chart, whose library is loaded when it is first needed. Without two amounts, there is none. */
export const LazyReportChart = ({ chart }: { chart: Chart | null | undefined }) => {
  if (!hasChart(chart)) return null
  return (
    <Suspense fallback={<div className={styles.chart} />}>
      <ReportChart chart={chart} />
    </Suspense>
  )
}
