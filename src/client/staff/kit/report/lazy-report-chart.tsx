import { lazy, Suspense } from 'react'
import type { ReportChart as Chart } from '#contract/system/reports.ts'
import styles from './report-screen.module.css'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

type LazyReportChartProps = {
  /** Without at least two amounts, there is nothing to compare, and no chart. */
  chart: Chart | null | undefined
}

/** A bar chart, whose library is loaded when it is first needed. */
export const LazyReportChart = ({ chart }: LazyReportChartProps) => {
  if (!chart || chart.points.length < 2) return null
  return (
    <Suspense fallback={<div className={styles.chart} />}>
      <ReportChart chart={chart} />
    </Suspense>
  )
}
