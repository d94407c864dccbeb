import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ReportChart as Chart } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { useThemeKey } from '#ui/theme/use-theme-key.ts'
import visuallyHidden from '#ui/visually-hidden.module.css'
import { isByMonth, pointLabel, withEmptyTimes } from './chart-times.ts'
import styles from './report-screen.module.css'

/** The height in pixels. */
const height = 160
/** Pixels that a label of the axis needs at least: labels that would overlap are left out. */
const pixelsPerLabel = 90
/** Pixels below the bars, for their labels. */
const labelsHeight = 36
/** Pixels between the bars and their labels. */
const labelsGap = 10
/** Pixels that a character of a label needs on average. */
const pixelsPerAxisCharacter = 6.5
/** Multiples of a power of ten that have a round half. */
const roundSteps = [1, 2, 4, 6, 8, 10]
/** Pixels that a character of an amount needs at most, and those between the amounts and the bars. */
const [pixelsPerCharacter, amountsGap] = [8, 12]

const shortLabel = (label: string, maxLength: number): string =>
  label.length > maxLength ? `${label.slice(0, maxLength - 1)}…` : label

/** Amounts of the axis, without cents if all are whole dollars. */
const axisAmounts = (amounts: readonly number[]): string[] => {
  const texts = amounts.map((cents) => formatMoney(cents))
  return texts.every((text) => text.endsWith('.00')) ? texts.map((text) => text.slice(0, -'.00'.length)) : texts
}

/** The smallest round amount that is at least as large; 0 for negative amounts. */
const roundUp = (cents: number): number => {
  if (cents <= 0) return 0
  const step = 10 ** Math.floor(Math.log10(cents))
  return (roundSteps.find((count) => count * step >= cents) ?? 10) * step
}

/** The part of the axis that its labels need between them. */
const labelPart = 0.2

/** The ends of the axis, their middles and nothing, without those that would be drawn over each other. */
const axisSplits = (_chart: uPlot, _axis: number, min: number, max: number): number[] =>
  [0, max, min, max / 2, min / 2]
    .filter((split, place, all) =>
      all.slice(0, place).every((other) => Math.abs(split - other) >= labelPart * (max - min)),
    )
    .sort((a, b) => a - b)

const amountsWidth = (_chart: uPlot, texts: readonly string[] | null): number =>
  Math.max(0, ...(texts ?? []).map(({ length }) => length)) * pixelsPerCharacter + amountsGap

/** A color of the theme, which may be a `light-dark()` that the canvas does not understand. */
const resolvedColor = (element: HTMLElement, name: string): string => {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const optionsOf = (element: HTMLElement, { heading, points }: Chart): uPlot.Options => {
  const [ink, line, accent] = [
    resolvedColor(element, '--ink-soft'),
    resolvedColor(element, '--line'),
    resolvedColor(element, '--accent'),
  ]
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: [-0.6, points.length - 0.4] },
      // The lengths of bars can be compared only if they all begin at nothing.
      y: { range: (_chart, min, max) => [-roundUp(-min), roundUp(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        gap: labelsGap,
        size: labelsHeight,
        space: pixelsPerLabel,
        incrs: [1, 2, 5, 10, 20, 50],
        values: ({ width }, indexes) => {
          const maxLength = Math.floor(Math.max(pixelsPerLabel, width / points.length) / pixelsPerAxisCharacter)
          return indexes.map((index) => shortLabel(pointLabel(points[index]?.label ?? ''), maxLength))
        },
      },
      { ...axis, splits: axisSplits, size: amountsWidth, values: (_chart, amounts) => axisAmounts(amounts) },
    ],
    series: [
      {},
      {
        label: heading,
        fill: accent,
        stroke: accent,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.6, 48] }),
      },
    ],
  } as uPlot.Options
}

/** A bar chart, with a table of its amounts for screen readers. */
export const ReportChart = ({ chart }: { chart: Chart }) => {
  const ref = useRef<HTMLDivElement>(null)
  const theme = useThemeKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas is drawn again in the colors of another theme
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const points = withEmptyTimes(chart.points)
    const indexes = points.map((_, index) => index)
    const plot = new uPlot(
      optionsOf(element, { ...chart, points }),
      // A day without an amount has no bar, not one without a height.
      [indexes, points.map(({ cents }) => (cents === 0 ? null : cents))],
      element,
    )
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [chart, theme])
  return (
    <figure className={styles.figure}>
      <figcaption aria-hidden>
        {chart.heading} by {isByMonth(chart.points) ? 'month' : 'day'}
      </figcaption>
      <div ref={ref} className={styles.chart} aria-hidden />
      <div className={visuallyHidden.hidden}>
        <table aria-label={`Chart: ${chart.heading}`}>
          <tbody>
            {chart.points.map(({ label, cents }) => (
              <tr key={label}>
                <th scope="row">{pointLabel(label)}</th>
                <td>{formatMoney(cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
