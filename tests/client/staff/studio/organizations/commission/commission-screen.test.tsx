import { getDefaultStore } from 'jotai'
import { expect, test } from 'vitest'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import type { Commissions } from '#contract/studio/payments/commissions.ts'
import { rateMessages } from '#domain/studio/rates.ts'
import { fileResponse, recordDownloads } from '#support/rendering/record-downloads.ts'
import { click, countElements, fire, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, tableCells, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const organization = {
  ...{ id: 4, name: 'Lincoln', type: 'school', phone: '', email: '', website: '', note: '' },
  ...{ jobCount: 1, archivedAt: null, version: 1 },
}
const rate = {
  jobId: null,
  jobName: null,
  kind: 'percent',
  basisPoints: 1_250,
  amountCents: null,
  hasBegun: true,
} as const
const commissions: Commissions = {
  rates: [
    {
      ...{ id: 2, jobId: 12, jobName: 'Spring', kind: 'package', basisPoints: null, amountCents: 150 },
      ...{ startsOn: '2027-05-01', hasBegun: false },
    },
    { ...rate, id: 1, startsOn: '2027-04-01' },
  ],
  jobs: [{ id: 12, name: 'Spring' }],
  payments: [{ id: 7, throughDay: '2027-04-10', paidOn: '2027-04-12', amountCents: 4_000, note: 'Check 1024' }],
  owedCents: 6_550,
  today: '2027-04-15',
}

let answers: Commissions = commissions
let writes: string[] = []
const requestedUrls = stubStaffServer(
  (path, method) => {
    if (path.endsWith('/statement')) return fileResponse('Statement.pdf')
    if (path.includes('/commissions')) {
      if (method !== 'GET') writes.push(`${method} ${path.split('/commissions').at(-1)}`)
      return answers
    }
    if (path.endsWith('/contacts')) return { contact: null }
    return path.endsWith('/organizations/4') ? organization : undefined
  },
  () => ['reports'],
)

const openCommission = async () => {
  writes = []
  answers = commissions
  render(staffScreenAt('/admin/studios/3/organizations/4/commission'))
  await waitUntil(() => expect(countElements('ul[aria-label="Rates"] li')).toBe(2))
}
const textsOf = (label: string) =>
  [...document.querySelectorAll(`ul[aria-label="${label}"] li > span`)].map(({ textContent }) => textContent)
const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

test('the rates of an organization are shown with what is owed and what was paid', async () => {
  await openCommission()
  expect(textsOf('Rates')).toEqual([
    '$1.50 for each package in Spring, from 05/01/2027',
    '12.5% of each sale in all other jobs, since 04/01/2027',
  ])
  expect(tableCells()).toEqual([['04/12/2027', '$40.00', '04/10/2027', 'Check 1024', '']])
  expect(document.body.textContent).toContain('$65.50For orders through 04/15/2027.')
  click(getButton('Delete the rate from 05/01/2027'))
  await waitUntil(() => expect(writes).toEqual(['DELETE /rates/2']))
})

test('a rate is added once its fields are valid', async () => {
  await openCommission()
  click(getButton('Add a rate'))
  await waitUntil(() => expect(countElements('[name="basisPoints"]')).toBe(1))
  type(field('basisPoints'), '101')
  await waitUntil(() => expect(getButton('Add rate').disabled).toBe(false))
  click(getButton('Add rate'))
  await waitUntil(() => expect(document.body.textContent).toContain(rateMessages.percent))
  expect(writes).toEqual([])
  type(field('basisPoints'), '12.5')
  click(getButton('Add rate'))
  await waitUntil(() => expect(writes).toEqual(['POST /rates']))
  await waitUntil(() => expect(countElements('[name="basisPoints"]')).toBe(0))
})

test('what is owed is marked as paid', async () => {
  await openCommission()
  click(getButton('Mark $65.50 as paid'))
  await waitUntil(() => expect(countElements('[name="paidOn"]')).toBe(1))
  expect(field('paidOn').value).toBe('2027-04-15')
  expect(getElement('[role="dialog"]').textContent).toContain('For orders after 04/10/2027, through 04/15/2027')
  type(field('note'), 'Check 1025')
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('[role="dialog"] button[type="submit"]')]
  await waitUntil(() => expect(buttons()[0]?.disabled).toBe(false))
  const [submit] = buttons()
  if (!submit) throw new Error('the dialog has no button')
  click(submit)
  await waitUntil(() => expect(writes).toEqual(['POST /payments']))
})

test('a statement is downloaded for the chosen days', async () => {
  await openCommission()
  const { savedNames, postedBodies } = recordDownloads()
  click(getButton('Statement'))
  const dialog = '[role="dialog"]'
  await waitUntil(() => expect(countElements(`${dialog} select`)).toBe(1))
  const dates = getElement<HTMLSelectElement>(`${dialog} select`)
  dates.value = 'custom'
  fire(dates, new Event('change', { bubbles: true }))
  const [from, to] = document.querySelectorAll<HTMLInputElement>(`${dialog} input[type="date"]`)
  if (!from || !to) throw new Error('the dialog has no days')
  expect([from.value, to.value]).toEqual(['2027-04-01', '2027-04-15'])
  type(from, '2027-04-16')
  expect(document.body.textContent).toContain('The last day is before the first day')
  expect(getButton('PDF').disabled).toBe(true)
  type(to, '2027-04-30')
  click(getButton('PDF'))
  await waitUntil(() => expect(savedNames).toEqual(['Statement.pdf']))
  expect(postedBodies).toEqual([{ startDay: '2027-04-16', endDay: '2027-04-30', format: 'pdf' }])
})

test('staff who may not see the studio’s money see no tab and request no commissions', async () => {
  const store = getDefaultStore()
  const claims = store.get(claimsAtom)
  if (!claims) throw new Error('nobody is signed in')
  store.set(claimsAtom, { ...claims, studioId: 3, permissions: ['studio.crud'] })
  render(staffScreenAt('/admin/studios/3/organizations/4/overview'))
  await waitUntil(() => expect(document.body.textContent).toContain('Your contact there'))
  expect(document.body.textContent).not.toContain('Commission')
  expect(requestedUrls.filter(({ pathname }) => pathname.includes('commissions'))).toEqual([])
})
