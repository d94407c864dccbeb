import { beforeEach, expect, test } from 'vitest'
import type { SavedReport } from '#contract/studio/saved-reports.ts'
import { recordDownloads } from '#support/rendering/record-downloads.ts'
import { click, countElements, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const base = '/admin/studios/3/reports'
const monday: SavedReport = {
  ...{ id: 7, name: 'Monday', choices: { report: 'taxes', period: 'lastWeek' } },
  ...{ schedule: 'weekly', recipient: 'Rosa', version: 4 },
}
let reports: SavedReport[] = []
let writes: string[] = []

stubStaffServer(
  (path, method) => {
    if (path.includes('/saved-reports')) {
      if (method === 'GET') return reports
      writes.push(`${method} ${path.split('/').at(-1)}`)
      return { ...monday, id: 8 }
    }
    if (path.endsWith('/jobs')) return []
    const empty = { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
    return path.includes('/reports/') ? { ...empty, columns: [], totals: {}, chart: null } : undefined
  },
  () => ['reports'],
)

beforeEach(() => {
  reports = [monday]
  writes = []
})

const links = () => [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Saved reports"] a')]

test('a saved report is a link to its choices, and the one on the screen is marked', async () => {
  render(staffScreenAt(`${base}?period=lastWeek&report=taxes&page=2`))
  await waitUntil(() => expect(links().map(({ textContent }) => textContent)).toEqual(['Monday']))
  expect(links()[0]?.getAttribute('href')).toBe(`${base}?report=taxes&period=lastWeek`)
  expect(links()[0]?.getAttribute('aria-current')).toBe('page')
  expect(getButton('Edit saved report')).toBeDefined()
})

test('the choices on the screen are saved under a name, with emails', async () => {
  render(staffScreenAt(`${base}?report=refunds&period=month`))
  await waitUntil(() => expect(links()).toHaveLength(1))
  const { postedBodies } = recordDownloads()
  expect(links()[0]?.getAttribute('aria-current')).toBeNull()
  click(getButton('Save this report'))
  await waitUntil(() => expect(countElements('[name="name"]')).toBe(1))
  type(getElement<HTMLInputElement>('[name="name"]'), 'Refunds')
  const schedule = getElement<HTMLSelectElement>('[name="schedule"]')
  schedule.value = 'monthly'
  fire(schedule, new Event('change', { bubbles: true }))
  await waitUntil(() => expect(getButton('Save report').disabled).toBe(false))
  click(getButton('Save report'))
  await waitUntil(() => expect(writes).toEqual(['POST saved-reports']))
  expect(postedBodies).toEqual([
    { name: 'Refunds', choices: { report: 'refunds', period: 'month' }, schedule: 'monthly' },
  ])
  await waitUntil(() => expect(countElements('[name="name"]')).toBe(0))
})

test('a report without dates is not emailed', async () => {
  render(staffScreenAt(`${base}?report=yearbook&jobId=12`))
  await waitUntil(() => expect(links()).toHaveLength(1))
  click(getButton('Save this report'))
  await waitUntil(() => expect(countElements('[name="name"]')).toBe(1))
  expect(countElements('[name="schedule"]')).toBe(0)
  expect(document.body.textContent).toContain('Only reports with dates are sent by email')
})

test('an edited report shows who gets its emails', async () => {
  render(staffScreenAt(`${base}?report=taxes&period=lastWeek`))
  await waitUntil(() => expect(links()).toHaveLength(1))
  click(getButton('Edit saved report'))
  await waitUntil(() => expect(getElement<HTMLInputElement>('[name="name"]').value).toBe('Monday'))
  expect(document.body.textContent).toContain('A link for Rosa, who signs in to see it')
  type(getElement<HTMLInputElement>('[name="name"]'), 'Sunday')
  await waitUntil(() => expect(getButton('Save report').disabled).toBe(false))
  click(getButton('Save report'))
  await waitUntil(() => expect(writes).toEqual(['PUT 7']))
})
