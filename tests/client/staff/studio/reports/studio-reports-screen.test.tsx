import { expect, onTestFinished, test } from 'vitest'
import type { JobRow } from '#contract/studio/jobs.ts'
import type { ReportFile } from '#contract/system/report-files.ts'
import { fileResponse, recordDownloads } from '#support/rendering/record-downloads.ts'
import { click, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import {
  jobResponse,
  staffScreenAt,
  stubStaffServer,
  tableCells,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const columns = [
  { key: 'day', heading: 'Date', type: 'date', isDetail: false },
  { key: 'customer', heading: 'Customer', type: 'text', isDetail: false },
  { key: 'rate', heading: 'Rate', type: 'percent', isDetail: false },
  { key: 'amount', heading: 'Amount', type: 'money', isDetail: false },
  { key: 'cash', heading: 'Cash', type: 'money', isDetail: false },
]
const addColumn = (column: (typeof columns)[number]) => {
  columns.push(column)
  onTestFinished(() => void columns.pop())
}
const row = { day: '2027-03-14', customer: 'Grace Hopper', rate: 57_500, amount: -123_456, cash: 0 }

let rows: object[] = []
let failsToLoad = false
const spring: JobRow = {
  ...{ id: 12, name: 'Spring', organizationId: 4, organizationName: 'Lincoln', organizationType: 'school' },
  ...{ eventDate: '2027-04-15', code: 'SPRING', state: 'open', prepay: false, gallery: true },
  ...{ subjects: 3, withImages: 2, orders: 1, createdAt: '2027-04-01T10:00:00.000Z' },
}
const file: ReportFile = {
  ...{ id: 4, fileName: 'Payments.csv', format: 'csv', state: 'ready', rowsTotal: 2000, rowsDone: 1200, error: null },
  ...{ madeAt: '2027-04-15T12:00:00Z', madeBy: 'Rosa', expiresAt: '2027-04-22T12:00:00Z' },
}
const fileOf = (change: Partial<ReportFile>): ReportFile => ({ ...file, ...change })
let files: ReportFile[] = []

const requestedUrls = stubStaffServer(
  (path, method) => {
    if (path.endsWith('/export') && method === 'POST') return fileResponse('Payments.csv')
    if (path.endsWith('/files') && method === 'POST') {
      files = [fileOf({ id: 5, state: 'waiting' }), ...files]
      return files[0]
    }
    if (path.endsWith('/report-files')) return files
    if (path.includes('/report-files/') && method === 'DELETE') {
      files = []
      return {}
    }
    if (path.endsWith('/jobs')) return { currentPage: 1, pageSize: 8, totalRecords: 1, resultItems: [spring] }
    if (path.endsWith('/jobs/12')) return { ...jobResponse, id: 12, name: 'Spring' }
    if (!path.includes('/reports/')) return undefined
    if (failsToLoad) return new Response(JSON.stringify({ errors: ['Please try again'] }), { status: 422 })
    const paging = { currentPage: 1, pageSize: 50, totalRecords: rows.length }
    return {
      ...paging,
      columns,
      resultItems: rows,
      totals: { amount: -123_456, cash: 0 },
      keyColumn: 'amount',
      chart: null,
    }
  },
  () => ['reports'],
)

const reportRequests = () => requestedUrls.filter(({ pathname }) => pathname.includes('/reports/'))
const base = '/admin/studios/3/reports'

/** Opens the menu of the files. */
const exportItems = (): HTMLElement[] => {
  click(getButton('Export'))
  return [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')]
}

const chooseExport = (label: string): void => {
  const item = exportItems().find(({ textContent }) => textContent === label)
  if (!item) throw new Error(`no item ${label}`)
  click(item)
}

test('a report is requested for the days, the job and the text of the URL, and shown with its total', async () => {
  rows = [row, { ...row, amount: 0 }]
  render(staffScreenAt(`${base}?period=custom&from=2027-03-13&to=2027-03-14&jobId=12&type=customer&filter=grace`))
  const cells = ['03/14/2027', 'Grace Hopper', '5.75%']
  await waitUntil(() =>
    expect(tableCells()).toEqual([
      [...cells, '-$1,234.56'],
      [...cells, '$0.00'],
    ]),
  )
  expect(reportRequests().map(({ pathname, search }) => pathname + decodeURIComponent(search))).toEqual([
    '/api/studioadmin/studios/3/reports/payments?startDate=03/13/2027&endDate=03/14/2027&filterType=customer&filter=grace&jobId=12&currentPage=1&pageSize=50',
  ])
  const totals = [...document.querySelectorAll('main tfoot th, main tfoot td')].map(({ textContent }) => textContent)
  expect(totals).toEqual(['Total', '', '', '-$1,234.56'])
})

test('a single row has no sum, and a column without texts is hidden', async () => {
  rows = [{ ...row, customer: '' }]
  render(staffScreenAt(base))
  await waitUntil(() => expect(tableCells()).toEqual([['03/14/2027', '5.75%', '-$1,234.56']]))
  expect(document.querySelector('main tfoot')).toBeNull()
})

test('a column of amounts is hidden while all are zero', async () => {
  rows = [{ ...row, cash: 500 }]
  render(staffScreenAt(base))
  await waitUntil(() => expect(tableCells()[0]).toHaveLength(columns.length))
  rows = [row]
  render(staffScreenAt(`${base}?period=week`))
  await waitUntil(() => expect(tableCells()[0]).toHaveLength(columns.length - 1))
})

test('a detail is left out until it is chosen, and is in the file without being chosen', async () => {
  addColumn({ key: 'reference', heading: 'Reference', type: 'text', isDetail: true })
  const { postedBodies } = recordDownloads()
  rows = [{ ...row, reference: 'ch_1' }]
  render(staffScreenAt(`${base}?period=custom`))
  await waitUntil(() => expect(tableCells()[0]).not.toContain('ch_1'))
  chooseExport('CSV')
  await waitUntil(() => expect(postedBodies).toMatchObject([{ columns: expect.arrayContaining(['reference']) }]))
  click(getButton('Columns'))
  const box = [...document.querySelectorAll('[role="dialog"] label')].find(
    ({ textContent }) => textContent === 'Reference',
  )
  click(box?.querySelector('input') as HTMLElement)
  await waitUntil(() => expect(tableCells()[0]).toContain('ch_1'))
  expect(location.search).toContain('with=reference')
})

test('a state that all rows have is left out', async () => {
  addColumn({ key: 'state', heading: 'State', type: 'text', isDetail: false })
  rows = [
    { ...row, state: 'Settled' },
    { ...row, state: 'Settled' },
  ]
  render(staffScreenAt(base))
  await waitUntil(() => expect(tableCells()).toHaveLength(2))
  expect(tableCells()[0]).not.toContain('Settled')
})

test('the number of an order leads to the order', async () => {
  rows = [{ ...row, customer: 'FP-1', orderNumber: 'FP-1', studioId: 3, jobId: 12 }]
  addColumn({ key: 'orderNumber', heading: 'Order', type: 'text', isDetail: false })
  render(staffScreenAt(base))
  await waitUntil(() =>
    expect(document.querySelector('main td a')?.getAttribute('href')).toBe(
      '/admin/studios/3/jobs/12/orders/order/FP-1',
    ),
  )
})

test('a day that does not exist and an id that is not a number are ignored in the URL', async () => {
  rows = [row]
  render(staffScreenAt(`${base}?period=custom&from=2027-02-30&to=2027-03-14&jobId=x`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  expect(decodeURIComponent(reportRequests()[0]?.search ?? '')).toBe('?endDate=03/14/2027&currentPage=1&pageSize=50')
})

test('a chosen state of payments replaces the text of the search', async () => {
  rows = [row]
  render(staffScreenAt(`${base}?period=custom&state=pending&filter=grace`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  expect(reportRequests()[0]?.search).toBe('?filterType=paymentState&filter=pending&currentPage=1&pageSize=50')
})

test('a report without rows says so and cannot be saved', async () => {
  rows = []
  render(staffScreenAt(`${base}?report=refunds`))
  await waitUntil(() => expect(document.querySelector('main h2')?.textContent).toBe('Nothing to show'))
  expect(exportItems().map((item) => [item.textContent, item.getAttribute('aria-disabled')])).toEqual([
    ['CSV', 'true'],
    ['Excel (XLSX)', 'true'],
    ['Large exports', null],
  ])
  click(getButton('Show all dates'))
  await waitUntil(() => expect(location.search).toBe('?report=refunds&period=all'))
  await waitUntil(() => expect(reportRequests().at(-1)?.search).toBe('?currentPage=1&pageSize=50'))
})

test('unfinished orders are shown for all dates unless others are chosen', async () => {
  rows = [row]
  render(staffScreenAt(`${base}?report=unfinished`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  expect(reportRequests()[0]?.search).toBe('?currentPage=1&pageSize=50')
})

test('a report that could not be loaded has no buttons for its columns and its files', async () => {
  failsToLoad = true
  render(staffScreenAt(`${base}?report=refunds`))
  await waitUntil(() => expect(document.querySelector('main h2')?.textContent).toBe('This could not be loaded'))
  failsToLoad = false
  const texts = [...document.querySelectorAll('main button')].map(({ textContent }) => textContent)
  expect(texts).not.toContain('Columns')
  expect(exportItems().flatMap((item) => (item.hasAttribute('aria-disabled') ? [] : [item.textContent]))).toEqual([
    'Large exports',
  ])
})

test('a report about a job asks for it first', async () => {
  render(staffScreenAt(`${base}?report=yearbook`))
  await waitUntil(() => expect(document.querySelector('main h2')?.textContent).toBe('Choose a job'))
  expect(reportRequests()).toEqual([])
})

test('the file is saved under the name that the server gave it, with the chosen columns', async () => {
  rows = [row]
  const { savedNames, postedBodies } = recordDownloads()
  render(staffScreenAt(`${base}?period=custom&without=rate`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  chooseExport('CSV')
  await waitUntil(() => expect(savedNames).toEqual(['Payments.csv']))
  expect(postedBodies).toEqual([{ format: 'csv', columns: ['day', 'customer', 'amount', 'cash'] }])
})

test('a file of the report is started in the background, and made files are listed with their states', async () => {
  rows = [row]
  files = [
    fileOf({ id: 4, state: 'making' }),
    fileOf({ id: 3, state: 'failed', error: 'The job or studio of this report was deleted' }),
    fileOf({ id: 2 }),
  ]
  const { postedBodies } = recordDownloads()
  render(
    <>
      {staffScreenAt(`${base}?period=custom&without=rate`)}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  chooseExport('Large exports')
  const listed = () => [...document.querySelectorAll('[role="dialog"] li')].map(({ textContent }) => textContent ?? '')
  await waitUntil(() => expect(listed()).toHaveLength(3))
  expect(listed()[0]).toContain('1,200 of 2,000 rows written')
  expect(listed()[1]).toContain('The job or studio of this report was deleted')
  expect(listed()[2]).toContain('1,200 rows · available until Apr 22')
  const downloads = [...document.querySelectorAll('[role="dialog"] button')].filter(
    ({ textContent }) => textContent === 'Download',
  )
  expect(downloads).toHaveLength(1)
  click(getButton('Make a file'))
  await waitUntil(() => expect(listed()).toHaveLength(4))
  expect(listed()[0]).toContain('The file will be ready in a moment')
  expect(postedBodies).toEqual([{ format: 'csv', columns: ['day', 'customer', 'amount', 'cash'] }])
})

test('a made file is deleted once that is confirmed', async () => {
  rows = [row]
  files = [file]
  render(
    <>
      {staffScreenAt(`${base}?period=custom`)}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  chooseExport('Large exports')
  await waitUntil(() => expect(document.querySelectorAll('[role="dialog"] li')).toHaveLength(1))
  click(getElement('[aria-label="Delete Payments.csv"]'))
  await waitUntil(() => expect(document.body.textContent).toContain('Delete “Payments.csv”?'))
  const [confirmButton] = [...document.querySelectorAll<HTMLElement>('[role="alertdialog"] button')].filter(
    ({ textContent }) => textContent === 'Delete',
  )
  if (confirmButton) click(confirmButton)
  await waitUntil(() => expect(files).toEqual([]))
})

test('the job is searched among all jobs, chosen with the keys, and all jobs are chosen again', async () => {
  rows = [row]
  render(staffScreenAt(`${base}?period=custom`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  const combobox = () => getElement<HTMLInputElement>('[role="combobox"]')
  const options = () => [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent)
  const press = (key: string) =>
    fire(combobox(), new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  expect(combobox().value).toBe('All jobs')
  fire(combobox(), new FocusEvent('focusin', { bubbles: true }))
  await waitUntil(() => expect(options()).toEqual(['All jobs', 'SpringLincoln · 04/15/2027']))
  type(combobox(), 'spr')
  await waitUntil(() => expect(options()).toEqual(['SpringLincoln · 04/15/2027']))
  expect(requestedUrls.filter(({ pathname }) => pathname.endsWith('/jobs')).at(-1)?.search).toBe(
    '?currentPage=1&pageSize=8&filter=spr',
  )
  press('Enter')
  await waitUntil(() => expect([location.search, combobox().value]).toEqual(['?period=custom&jobId=12', 'Spring']))
  fire(combobox(), new FocusEvent('focusin', { bubbles: true }))
  await waitUntil(() => expect(options()).toHaveLength(2))
  press('Escape')
  expect([options(), combobox().value]).toEqual([[], 'Spring'])
  fire(combobox(), new FocusEvent('focusin', { bubbles: true }))
  await waitUntil(() => expect(options()).toHaveLength(2))
  press('Enter')
  await waitUntil(() => expect([location.search, combobox().value]).toEqual(['?period=custom', 'All jobs']))
})
