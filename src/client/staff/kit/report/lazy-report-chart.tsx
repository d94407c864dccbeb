import ChartColumn from 'lucide-react/icons/chart-column'
import { lazy, Suspense } from 'react'
import type { ReportChart as Chart } from '#contract/system/reports.ts'
import { Button } from '#ui/button/button.tsx'
import { ReportBars } from './report-bars.tsx'
import styles from './report-screen.module.css'
import type { ReportList } from './use-report-request.ts'

const ReportChart = lazy(async () => ({ default: (await import('./report-chart.tsx')).ReportChart }))

/** Whether there are at least two amounts: fewer are nothing to compare. */
export const hasChart = (chart: Chart | null | undefined): chart is Chart =>
  chart !== null && chart !== undefined && chart.points.length > 1

/** A chart of amounts by name, or one over time, whose library is loaded when it is first needed. Without two amounts, there is none. */
export const LazyReportChart = ({ chart }: { chart: Chart | null | undefined }) => {
  if (!hasChart(chart)) return null
  if (chart.by !== 'time') return <ReportBars chart={chart} />
  return (
    <Suspense fallback={<div className={styles.chart} />}>
      <ReportChart chart={chart} />
    </Suspense>
  )
}

/** Whether the chart is hidden, which the URL says. */
export const isChartHidden = ({ filters }: ReportList): boolean => filters.chart === 'off'

/** A button that hides the chart, so that more rows are on the screen, and shows it again. */
export const ChartToggle = ({ list }: { list: ReportList }) => {
  const isHidden = isChartHidden(list)
  return (
    <Button
      variant="quiet"
      icon={ChartColumn}
      className={styles.chartToggle}
      onClick={() => list.chooseFilter('chart', isHidden ? undefined : 'off')}
    >
      {isHidden ? 'Show chart' : 'Hide chart'}
    </Button>
  )
}
