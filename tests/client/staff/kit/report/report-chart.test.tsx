import { expect, test } from 'vitest'
import { pointLabel, withEmptyTimes } from '#client/staff/kit/report/chart-times.ts'
import { LazyReportChart } from '#client/staff/kit/report/lazy-report-chart.tsx'
import { render } from '#support/rendering/render.tsx'
import { waitUntil } from '#support/rendering/render-staff-screen.tsx'

const point = (label: string, cents: number) => ({ label, cents })

test('days and months without an amount are drawn, too', () => {
  expect(withEmptyTimes([point('2027-03-13', 500), point('2027-03-15', -100)])).toEqual([
    point('2027-03-13', 500),
    point('2027-03-14', 0),
    point('2027-03-15', -100),
  ])
  expect(withEmptyTimes([point('2026-12', 500), point('2027-02', 100)]).map(({ label }) => label)).toEqual([
    '2026-12',
    '2027-01',
    '2027-02',
  ])
  expect(withEmptyTimes([])).toEqual([])
})

test('amounts by name are bars with their names and amounts', () => {
  render(
    <LazyReportChart
      chart={{ heading: 'Net', by: 'name', points: [point('Package A', 2000), point('Shipping', -1000)] }}
    />,
  )
  const rows = [...document.querySelectorAll('tr')].map(({ cells }) => [...cells].map(({ textContent }) => textContent))
  expect(rows).toEqual([
    ['Package A', '', '$20.00'],
    ['Shipping', '', '-$10.00'],
  ])
  expect([...document.querySelectorAll<HTMLElement>('td span')].map(({ style }) => style.inlineSize)).toEqual([
    '100%',
    '50%',
  ])
})

test('a chart over time is drawn again in the colors of another theme', async () => {
  render(
    <LazyReportChart
      chart={{ heading: 'Amount', by: 'time', points: [point('2027-03-13', 500), point('2027-03-15', 100)] }}
    />,
  )
  const canvas = () => document.querySelector('canvas')
  await waitUntil(() => expect(canvas()).not.toBeNull())
  const first = canvas()
  document.documentElement.dataset.theme = 'dark'
  await waitUntil(() => expect(canvas()).not.toBe(first))
  expect(document.querySelectorAll('canvas')).toHaveLength(1)
  delete document.documentElement.dataset.theme
})

test('days and months of a chart are written as people write them', () => {
  expect(['2027-03-13', '2026-12', 'Spring 2027'].map(pointLabel)).toEqual(['03/13/2027', 'Dec 2026', 'Spring 2027'])
})
