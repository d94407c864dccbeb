import { expect, test } from 'vitest'
import { rateMessages } from '#domain/studio/rates.ts'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import {
  breadcrumbs,
  jobResponse,
  linkTargets,
  staffScreenAt,
  stubStaffServer,
  tableCells,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const promotion = {
  ...{ id: 5, jobId: null, jobName: null, code: 'SAVE10', name: 'Early birds', kind: 'percent', basisPoints: 1000 },
  ...{
    amountCents: null,
    minimumCents: 0,
    packageIds: null,
    startsOn: '2027-04-01',
    endsOn: '2027-04-30',
    maximumUses: 100,
  },
  ...{
    maximumUsesPerCustomer: null,
    isEnabled: true,
    hasSingleUseCodes: false,
    isAutomatic: false,
    isStackable: false,
    codeCount: 0,
    state: 'running',
    useCount: 3,
    discountCents: 1500,
    version: 1,
  },
}
const inJob = {
  ...{ ...promotion, id: 6, jobId: 12, jobName: 'Spring', code: 'TAKE5', name: '', kind: 'amount', amountCents: 500 },
  ...{
    isAutomatic: true,
    isStackable: true,
    basisPoints: null,
    startsOn: null,
    endsOn: null,
    maximumUses: null,
    state: 'off',
    useCount: 0,
    discountCents: 0,
  },
}
const use = {
  ...{ orderNumber: 'FP-AAAA1111', jobId: 12, jobName: 'Spring', code: 'SAVE10' },
  ...{ usedAt: '2027-04-15T16:00:00.000Z', discountCents: 500 },
}
const pageOf = (...resultItems: object[]) => ({
  resultItems,
  currentPage: 1,
  pageSize: 50,
  totalRecords: resultItems.length,
})

let emptyList = false
const requestedUrls = stubStaffServer(
  (path, method) => {
    if (method === 'POST' && path.endsWith('/preview'))
      return {
        ...{ goodsCents: 5000, discountCents: 500, totalCents: 4500, why: null },
        promotions: [
          { code: 'SAVE10', discountCents: 300 },
          { code: 'EARLY', discountCents: 200 },
        ],
        lines: [],
      }
    if (method === 'POST' && path.endsWith('/promotions')) return { ...promotion, id: 9, code: 'NEW1' }
    if (method === 'POST' && path.endsWith('/end')) return { ...promotion, state: 'ended' }
    if (path.endsWith('/jobs/12/promotions')) return pageOf(inJob)
    if (path.endsWith('/promotions')) return emptyList ? pageOf() : pageOf(promotion)
    if (path.endsWith('/uses')) return pageOf(use)
    if (path.endsWith('/uses/chart')) return { heading: 'Discount', points: [] }
    if (path.endsWith('/promotions/7')) return { ...promotion, id: 7, hasSingleUseCodes: true, codeCount: 500 }
    if (path.endsWith('/promotions/7/codes'))
      return pageOf(
        { code: 'SAVE10-7KQ2MXPA', usedAt: '2027-04-15T16:00:00.000Z', orderNumber: 'FP-AAAA1111', jobId: 12 },
        { code: 'SAVE10-B3WXYZ12', usedAt: null, orderNumber: null, jobId: null },
      )
    if (/\/promotions\/\d+$/.test(path)) return promotion
    if (path.endsWith('/packages')) return []
    return path.endsWith('/jobs/12') ? jobResponse : undefined
  },
  () => ['promotions'],
)

const couponCodesUrl = '/admin/studios/3/coupon-codes'
const jobUrl = '/admin/studios/3/jobs/12'
const field = (name: string) => getElement<HTMLInputElement>(`[name="${name}"]`)

test('the coupon codes of a studio are listed with their days, uses and discounts', async () => {
  render(staffScreenAt(couponCodesUrl))
  const cells = ['SAVE10Early birds', '10%', 'Running', '3 of 100', '04/01/2027 to 04/30/2027', 'Code', '$15.00', '']
  await waitUntil(() => expect(tableCells()).toEqual([cells]))
  expect(breadcrumbs()).toEqual(['Studio 3 /admin/studios/3', 'Coupon codes'])
  expect(linkTargets('SAVE10')).toEqual([`${couponCodesUrl}/5`])
  const listUrl = requestedUrls.find(({ pathname }) => pathname.endsWith('/promotions'))
  expect(listUrl?.searchParams.get('type')).toBe('coupon-code')
})

test('the promotions of a job are its own, and link to screens below the job', async () => {
  render(staffScreenAt(`${jobUrl}/promotions`))
  await waitUntil(() =>
    expect(tableCells()).toEqual([['TAKE5', '$5.00', 'Off', '0', 'No end date', 'Automatic, combines', '$0.00', '']]),
  )
  expect(linkTargets('TAKE5')).toEqual([`${jobUrl}/promotions/6`])
})

test('a studio without coupon codes sees what they are, and can create one', async () => {
  emptyList = true
  render(staffScreenAt(couponCodesUrl))
  await waitUntil(() => expect(document.body.textContent).toContain('No coupon codes yet'))
  expect(linkTargets('New coupon code')).toEqual([`${couponCodesUrl}/new`])
  emptyList = false
})

test('a new promotion is created once its fields are valid, and then opened', async () => {
  render(staffScreenAt(`${couponCodesUrl}/new`))
  await waitUntil(() => expect(countElements('[name="code"]')).toBe(1))
  const types = [...document.querySelectorAll<HTMLInputElement>('input[type="radio"]')]
  expect(types.map(({ value, checked }) => [value, checked])).toEqual([
    ['typed', true],
    ['automatic', false],
    ['single-use', false],
  ])
  type(field('code'), 'new 1')
  type(field('basisPoints'), '101')
  const isSent = () => requestedUrls.some(({ pathname }) => pathname.endsWith('/promotions'))
  await waitUntil(() => expect(getButton('Create').disabled).toBe(false))
  click(getButton('Create'))
  await waitUntil(() => expect(document.body.textContent).toContain(rateMessages.percent))
  expect(isSent()).toBe(false)
  type(field('basisPoints'), '12.5')
  click(getButton('Create'))
  await waitUntil(() => expect(location.pathname).toBe(`${couponCodesUrl}/9`))
})

test('a promotion shows its terms, a preview and the orders that used it', async () => {
  render(staffScreenAt(`${couponCodesUrl}/5`))
  await waitUntil(() => expect(tableCells()).toHaveLength(1))
  expect(tableCells()[0]?.slice(0, 3)).toEqual(['FP-AAAA1111', 'Spring', 'SAVE10'])
  expect(linkTargets('FP-AAAA1111')).toEqual([`${jobUrl}/orders/order/FP-AAAA1111`])
  expect(document.body.textContent).toContain('3 uses, $15.00 in discounts')
  expect([field('code').value, field('basisPoints').value, field('endsOn').value]).toEqual([
    'SAVE10',
    '10',
    '2027-04-30',
  ])
  click(getButton('Show the price'))
  await waitUntil(() => expect(document.body.textContent).toContain('To pay, before shipping and tax$45.00'))
  expect(document.body.textContent).toContain('Discount (SAVE10)-$3.00Discount (EARLY)-$2.00')
})

test('a promotion with single-use codes shows the first ones and whether they are used', async () => {
  render(staffScreenAt(`${couponCodesUrl}/7`))
  await waitUntil(() =>
    expect(tableCells().slice(0, 2)).toEqual([
      ['SAVE10-7KQ2MXPA', '04/15/2027', 'FP-AAAA1111'],
      ['SAVE10-B3WXYZ12', 'Not used', ''],
    ]),
  )
  expect(document.body.textContent).toContain('The download also has the other 490')
})

test('a promotion is ended by its menu after a confirmation', async () => {
  render(
    <>
      {staffScreenAt(`${couponCodesUrl}/5`)}
      <ConfirmHost />
    </>,
  )
  await waitUntil(() => expect(countElements('button[aria-label="Actions for SAVE10"]')).toBe(1))
  click(getElement('button[aria-label="Actions for SAVE10"]'))
  await waitUntil(() => expect(countElements('[role="menuitem"]')).toBeGreaterThan(0))
  for (const item of document.querySelectorAll<HTMLElement>('[role="menuitem"]'))
    if (item.textContent === 'End now') click(item)
  await waitUntil(() => expect(document.body.textContent).toContain('End “SAVE10” now?'))
  const isEnded = () => requestedUrls.some(({ pathname }) => pathname.endsWith('/promotions/5/end'))
  expect(isEnded()).toBe(false)
  for (const button of getElement('[role="alertdialog"]').querySelectorAll('button'))
    if (button.textContent?.trim() === 'End now') click(button)
  await waitUntil(() => expect(isEnded()).toBe(true))
})
