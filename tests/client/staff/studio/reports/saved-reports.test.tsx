import { beforeEach, expect, test, vi } from 'vitest'
import type { SavedReport } from '#contract/studio/saved-reports.ts'
import { recordDownloads } from '#support/rendering/record-downloads.ts'
import { cleanUp, click, countElements, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const base = '/admin/studios/3/reports'
const monday: SavedReport = {
  ...{ id: 7, name: 'Monday', choices: { report: 'taxes', period: 'lastWeek' } },
  ...{ schedule: 'weekly', recipient: 'Rosa', version: 4 },
}
let reports: SavedReport[] = []
let writes: string[] = []
let putBodies: unknown[] = []
let answers: Response[] = []

stubStaffServer(
  (path, method) => {
    if (path.includes('/saved-reports')) {
      if (method === 'GET') return path.endsWith('/7') ? reports[0] : reports
      writes.push(`${method} ${path.split('/').at(-1)}`)
      return answers.shift() ?? { ...monday, id: method === 'POST' ? 8 : 7 }
    }
    if (path.endsWith('/jobs')) return []
    const empty = { resultItems: [], currentPage: 1, pageSize: 50, totalRecords: 0 }
    return path.includes('/reports/') ? { ...empty, columns: [], totals: {}, keyColumn: null, chart: null } : undefined
  },
  () => ['reports'],
)

beforeEach(() => {
  reports = [monday]
  writes = []
  putBodies = []
  answers = []
  const stubbedFetch = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, options: RequestInit = {}) => {
    if (options.method === 'PUT') putBodies.push(JSON.parse(String(options.body)))
    return stubbedFetch(address, options)
  })
})

const links = () => [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Saved reports"] a')]

const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)
const chooseSchedule = (value: string) => {
  const schedule = getElement<HTMLSelectElement>('[name="schedule"]')
  schedule.value = value
  fire(schedule, new Event('change', { bubbles: true }))
}
const openDialog = async (button: string) => {
  await waitUntil(() => expect(links()).toHaveLength(reports.length))
  click(getButton(button))
  await waitUntil(() => expect(countElements('[name="name"]')).toBe(1))
}
const save = async () => {
  await waitUntil(() => expect(getButton('Save').disabled).toBe(false))
  click(getButton('Save'))
}

test('a saved report is a link to its choices, and the one that was opened stays marked when the choices change', async () => {
  render(staffScreenAt(`${base}?report=taxes&period=month&saved=7`))
  await waitUntil(() => expect(links().map(({ textContent }) => textContent)).toEqual(['Monday']))
  expect(links()[0]?.getAttribute('href')).toBe(`${base}?report=taxes&period=lastWeek&saved=7`)
  expect(links()[0]?.getAttribute('aria-current')).toBe('page')
  expect([getButton('Edit saved report'), getButton('Save as new')].every(Boolean)).toBe(true)
})

test('the choices on the screen are saved under a name, with emails, and the screen shows the saved report', async () => {
  render(staffScreenAt(`${base}?report=refunds&period=month`))
  await openDialog('Save report')
  const { postedBodies } = recordDownloads()
  type(field('name'), 'Refunds')
  chooseSchedule('monthly')
  await waitUntil(() => expect(document.body.textContent).toContain('You get a link by email'))
  await save()
  await waitUntil(() => expect(writes).toEqual(['POST saved-reports']))
  expect(postedBodies).toEqual([
    { name: 'Refunds', choices: { report: 'refunds', period: 'month' }, schedule: 'monthly' },
  ])
  await waitUntil(() => expect(countElements('[name="name"]')).toBe(0))
  expect(location.search).toContain('saved=8')
})

test('what was typed for one report is not shown for another, and a report without dates has no emails', async () => {
  render(staffScreenAt(`${base}?report=taxes`))
  await openDialog('Save report')
  type(field('name'), 'Taxes')
  chooseSchedule('weekly')
  cleanUp()
  render(staffScreenAt(`${base}?report=yearbook&jobId=12`))
  await openDialog('Save report')
  expect([field('name').value, countElements('[name="schedule"]')]).toEqual(['', 0])
  expect(document.body.textContent).toContain('This report has no dates, so it can’t be emailed')
  const { postedBodies } = recordDownloads()
  type(field('name'), 'Yearbook')
  await save()
  await waitUntil(() =>
    expect(postedBodies).toEqual([{ name: 'Yearbook', choices: { report: 'yearbook', jobId: '12' }, schedule: null }]),
  )
})

test('an edited report keeps its choices, unless it takes those of the screen', async () => {
  render(staffScreenAt(`${base}?report=taxes&period=month&saved=7`))
  await openDialog('Edit saved report')
  expect(field('name').value).toBe('Monday')
  chooseSchedule('weekly')
  await waitUntil(() => expect(document.body.textContent).toContain('Rosa gets a link by email'))
  chooseSchedule('monthly')
  await waitUntil(() => expect(document.body.textContent).toContain('You get a link by email'))
  await save()
  await waitUntil(() => expect(putBodies).toHaveLength(1))
  expect(putBodies[0]).toEqual({ name: 'Monday', choices: monday.choices, schedule: 'monthly', version: 4 })
  cleanUp()
  render(staffScreenAt(`${base}?report=taxes&period=month&saved=7`))
  await openDialog('Edit saved report')
  chooseSchedule('weekly')
  click(field('takesScreen'))
  await save()
  await waitUntil(() => expect(putBodies).toHaveLength(2))
  expect(putBodies[1]).toMatchObject({ choices: { report: 'taxes', period: 'month' }, schedule: 'weekly' })
})

test('a taken name is shown at its field, and a report that someone else changed is merged', async () => {
  render(staffScreenAt(`${base}?report=taxes&period=lastWeek&saved=7`))
  await openDialog('Edit saved report')
  answers = [
    Response.json(
      { errors: ['Taken'], problem: 'refused', fields: { name: ['There is already a saved report'] } },
      { status: 422 },
    ),
    Response.json({ errors: ['Someone changed this'], problem: 'conflict' }, { status: 409 }),
  ]
  type(field('name'), 'Taxes')
  await save()
  await waitUntil(() => expect(document.body.textContent).toContain('There is already a saved report'))
  type(field('name'), 'Sunday')
  reports = [{ ...monday, version: 5 }]
  await save()
  await waitUntil(() => expect(document.body.textContent).toContain('The form now has their changes and yours'))
  await save()
  await waitUntil(() => expect(putBodies.at(-1)).toMatchObject({ name: 'Sunday', version: 5 }))
})

test('a deleted report stops its emails, and the screen keeps what it shows', async () => {
  render(
    <>
      {staffScreenAt(`${base}?report=taxes&period=lastWeek&saved=7`)}
      <ConfirmHost />
    </>,
  )
  await openDialog('Edit saved report')
  click(getButton('Delete saved report'))
  await waitUntil(() => expect(document.body.textContent).toContain('Its emails stop.'))
  click(getButton('Delete'))
  await waitUntil(() => expect(writes).toEqual(['DELETE 7']))
  await waitUntil(() => expect(location.search).toBe('?report=taxes&period=lastWeek'))
})
