import { describe, expect, test } from 'vitest'
import { recordDownloads } from '#support/rendering/record-downloads.ts'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import {
  breadcrumbs,
  linkTargets,
  staffScreenAt,
  stubStaffServer,
  tableCells,
  waitUntil,
} from '#support/rendering/render-staff-screen.tsx'

const payout = {
  id: 7,
  state: 'paid',
  amountCents: 4825,
  createdAt: '2027-04-15T13:00:00.000Z',
  arrivesOn: '2027-04-17',
  transactionCount: 1,
}
const page = (rows: object[]) => ({ resultItems: rows, currentPage: 1, pageSize: 50, totalRecords: rows.length })
const balance = {
  ...{ chargesCents: 6200, refundsCents: 1000, feesCents: 175, platformFeesCents: 0, disputesCents: 0 },
  ...{ payoutsCents: 4825, balanceCents: 200, unmatchedCents: 0, openDifferences: 0, pulledAt: null },
}

let payouts: object[] = []
let isItemized = true
let unmatchedCents = 0
stubStaffServer(
  (path, method) => {
    if (method === 'POST') return {}
    if (path.endsWith('/reports/payouts')) return page(payouts)
    if (path.endsWith('/reports/payouts/balance'))
      return { ...balance, unmatchedCents, openDifferences: payouts.length }
    if (path.endsWith('/reports/payouts/7'))
      return {
        ...{ ...payout, reference: 'po_7', isItemized, chargesCents: 6200, refundsCents: -1200, feesCents: -175 },
        ...{ platformFeesCents: 0, disputesCents: 0, otherCents: 0 },
      }
    if (path.endsWith('/reports/payouts/7/transactions'))
      return page([
        {
          ...{
            reference: 'txn_1',
            kind: 'charge',
            at: '2027-04-14T13:00:00.000Z',
            jobId: 12,
            orderNumber: 'FP-0123ABCD',
          },
          ...{ customerName: 'Grace Hopper', amountCents: 6200, feeCents: -175, netCents: 6025 },
        },
        {
          ...{ reference: 'txn_2', kind: 'refund', at: '2027-04-14T14:00:00.000Z', jobId: null, orderNumber: null },
          ...{ customerName: null, amountCents: -1200, feeCents: 0, netCents: -1200 },
        },
      ])
    if (path.endsWith('/reports/payouts/differences'))
      return page([
        {
          ...{ id: 1, reason: 'unknownCharge', reference: 'pi_1', jobId: null, orderNumber: null, ourCents: 0 },
          ...{ providerCents: 1200, foundAt: '2027-04-15T13:00:00.000Z', resolvedAt: null },
          ...{ closedBy: null, note: '' },
        },
        {
          ...{
            id: 2,
            reason: 'amountDiffers',
            reference: 'pi_2',
            jobId: 12,
            orderNumber: 'FP-0123ABCD',
            ourCents: 3100,
          },
          ...{ providerCents: 3000, foundAt: '2027-04-14T13:00:00.000Z', resolvedAt: '2027-04-15T13:00:00.000Z' },
          ...{ closedBy: null, note: '' },
        },
        {
          ...{ id: 3, reason: 'otherEntry', reference: 'tu_1', jobId: null, orderNumber: null, ourCents: 0 },
          ...{ providerCents: 600, foundAt: '2027-04-13T13:00:00.000Z', resolvedAt: '2027-04-15T13:00:00.000Z' },
          ...{ closedBy: 'Rosa', note: 'Our own top-up' },
        },
      ])
    return undefined
  },
  () => ['reports'],
)

const open = async (tail: string, text: string) => {
  const { box } = render(staffScreenAt(`/admin/studios/3/reports/payouts${tail}`))
  await waitUntil(() => expect(box.textContent).toContain(text))
  return box
}

const sums = (box: HTMLElement, name: string): string[] =>
  [...box.querySelectorAll(`table[aria-label="${name}"] tr`)].map((row) =>
    [...row.children].map((cell) => cell.textContent).join(' '),
  )

describe('payouts', () => {
  test('the list shows the balance, the payouts, and how many payments differ', async () => {
    payouts = [payout]
    const box = await open('', 'At the bank')
    expect(sums(box, 'Balance')).toEqual([
      'Card payments $62.00',
      'Refunds -$10.00',
      'Fees -$1.75',
      'Paid out -$48.25',
      'Balance, not paid out yet $2.00',
    ])
    expect(tableCells().at(-1)).toEqual(['04/15/2027', '$48.25', 'Paid', '04/17/2027', '1'])
    expect(linkTargets('04/15/2027')).toEqual(['/admin/studios/3/reports/payouts/7'])
    expect(box.textContent).toContain('1 payment differs from the payment provider')
    expect(box.textContent).not.toContain('Earlier differences')
  })

  test('what is not paid out yet includes what the provider has not confirmed', async () => {
    payouts = [payout]
    unmatchedCents = 1500
    const box = await open('', 'At the bank')
    unmatchedCents = 0
    expect(box.textContent).toContain('$17.00Not paid out yet, of which $15.00 is not confirmed yet')
  })

  test('without payouts it says where they will appear', async () => {
    payouts = []
    const box = await open('', 'No payouts yet')
    expect(box.textContent).not.toContain('differ from')
    expect(linkTargets('Earlier differences')).toEqual(['/admin/studios/3/reports/payouts/differences'])
  })

  test('a payout shows sums that add up, and its orders', async () => {
    isItemized = true
    const box = await open('/7', 'Grace Hopper')
    expect(sums(box, 'Sums')).toEqual(['Card payments $62.00', 'Refunds -$12.00', 'Fees -$1.75', 'Paid out $48.25'])
    expect(tableCells().slice(-2)).toEqual([
      ['FP-0123ABCD', 'Grace Hopper', 'Payment', 'Apr 14, 9:00 AM', '$62.00', '-$1.75', '$60.25'],
      ['No order here', '', 'Refund', 'Apr 14, 10:00 AM', '-$12.00', '$0.00', '-$12.00'],
    ])
    expect(linkTargets('FP-0123ABCD')).toEqual(['/admin/studios/3/jobs/12/orders/order/FP-0123ABCD'])
    expect(breadcrumbs()).toEqual([
      'Studio 3 /admin/studios/3',
      'Payouts /admin/studios/3/reports/payouts',
      'Payout of\u00a004/15/2027',
    ])
  })

  test('a payout says when the provider does not know its payments yet', async () => {
    isItemized = false
    const box = await open('/7', 'has not said yet')
    expect(sums(box, 'Sums')).toEqual(['Paid out $48.25'])
  })

  test('the differences show both amounts, the reason, and whether they are resolved', async () => {
    await open('/differences', 'pi_1')
    expect(tableCells()).toEqual([
      ['pi_1', '$12.00', 'Paid at the provider, without an order here', 'Open', '$0.00', '$12.00', '04/15/2027', ''],
      ['FP-0123ABCD', '-$1.00', 'The amounts differ', 'Resolved Apr 15, 9:00 AM', '$31.00', '$30.00', '04/14/2027', ''],
      [
        'tu_1',
        '$6.00',
        'Not from an order',
        'Closed Apr 15, 9:00 AMRosa: Our own top-up',
        '$0.00',
        '$6.00',
        '04/13/2027',
        '',
      ],
    ])
  })

  test('a difference is closed with a note', async () => {
    await open('/differences', 'pi_1')
    const { postedBodies } = recordDownloads()
    click(getButton('Actions for pi_1'))
    await waitUntil(() => click(getElement('[role="menuitem"]')))
    await waitUntil(() => expect(countElements('[name="note"]')).toBe(1))
    expect(getElement('[role="dialog"]').textContent).toContain('$12.00 at pi_1: Paid at the provider')
    type(getElement<HTMLInputElement>('[name="note"]'), 'Paid by our own card')
    await waitUntil(() => expect(getButton('Close difference').disabled).toBe(false))
    click(getButton('Close difference'))
    await waitUntil(() => expect(postedBodies).toEqual([{ note: 'Paid by our own card' }]))
    await waitUntil(() => expect(countElements('[name="note"]')).toBe(0))
  })
})
