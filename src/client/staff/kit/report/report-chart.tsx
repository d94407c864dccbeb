import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ReportChart as Chart } from '#contract/system/reports.ts'
import { formatMoney } from '#domain/pricing/money.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { useThemeKey } from '#ui/theme/use-theme-key.ts'
import visuallyHidden from '#ui/visually-hidden.module.css'
import styles from './report-screen.module.css'

/** The height in pixels. */
const height = 160
/** Pixels that a label of the axis needs at least: labels that would overlap are left out. */
const pixelsPerLabel = 90
/** Pixels below the bars, for their labels. */
const labelsHeight = 30
/** Pixels that a character of a label needs on average. */
const pixelsPerAxisCharacter = 6.5
/** Pixels that a character of an amount needs at most, and those between the amounts and the bars. */
const [pixelsPerCharacter, amountsGap] = [8, 12]

/** A day as MM/DD/YYYY, other labels as they are. */
const pointLabel = (label: string): string => (/^\d{4}-\d\d-\d\d$/.test(label) ? formatDate(label) : label)
const shortLabel = (label: string, maxLength: number): string =>
  label.length > maxLength ? `${label.slice(0, maxLength - 1)}…` : label

/** Amounts of the axis, without cents if all are whole dollars. */
const axisAmounts = (amounts: readonly number[]): string[] => {
  const texts = amounts.map((cents) => formatMoney(cents))
  return texts.every((text) => text.endsWith('.00')) ? texts.map((text) => text.slice(0, -'.00'.length)) : texts
}

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
      y: { range: { min: { soft: 0, mode: 1, pad: 0.1 }, max: { soft: 0, mode: 1, pad: 0.1 } } },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: labelsHeight,
        space: pixelsPerLabel,
        incrs: [1, 2, 5, 10, 20, 50],
        values: ({ width }, indexes) => {
          const maxLength = Math.floor(Math.max(pixelsPerLabel, width / points.length) / pixelsPerAxisCharacter)
          return indexes.map((index) => shortLabel(pointLabel(points[index]?.label ?? ''), maxLength))
        },
      },
      { ...axis, size: amountsWidth, values: (_chart, amounts) => axisAmounts(amounts) },
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
    const indexes = chart.points.map((_, index) => index)
    const plot = new uPlot(optionsOf(element, chart), [indexes, chart.points.map(({ cents }) => cents)], element)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [chart, theme])
  return (
    <figure className={styles.figure}>
      <figcaption aria-hidden>{chart.heading}</figcaption>
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
