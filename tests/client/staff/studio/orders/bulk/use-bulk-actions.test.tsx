import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { StudioContext } from '#client/staff/kit/routing/staff-context.ts'
import { IndividualOrdersScreen } from '#client/staff/studio/orders/list/individual-orders-screen.tsx'
import type { OrderRow } from '#contract/studio/order-lists.ts'
import { click, getButton, getElement, render, waitForPage } from '#support/rendering/render.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'

const job = { studioId: 3, jobId: 12 }
const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.crud', studio_id: 3, exp: 4_000_000_000 }))}.s`
const studio = {
  ...{ id: 3, name: 'Riverside', slug: 'riverside', timeZone: 'America/New_York' },
  ...{ isMillersVerified: true, features: new Set<string>() },
}

const row: OrderRow = {
  ...{ orderNumber: 'FP-00000001', customerName: 'Ann Byron', email: 'ann@byron.test', people: ['Ada Lovelace'] },
  ...{ state: 'placed', orderMethod: 'gallery', placedAt: '2027-04-02T10:00:00.000Z', packageCount: 1 },
  ...{ totalCents: 1950, refundedCents: 0, delivery: 'home', batch: null, packet: null },
  ...{ trackingNumber: null, why: null },
}
const counts = {
  ...{ method: 'gallery', prepay: 700, batch: 0, individual: 700, submitted: 0, awaitingPoses: 0, failedPackets: 0 },
}
const packet = { id: 1, state: 'waiting', filesDone: 0, filesTotal: 2, error: null, madeAt: row.placedAt }

/** The first request submits 500 of 700 orders, and the second the other 200. */
const createSubmitResponse = (after: unknown) => ({
  packet: {
    ...packet,
    orderNumbers: Array.from({ length: after === undefined ? 500 : 200 }, (_, index) => `FP-${index}`),
  },
  ...{ refused: [], passed: [], after: after === undefined ? 500 : null },
})

let requestBodies: unknown[] = []

const respond = async (address: string, { body }: RequestInit = {}) => {
  const [path = ''] = address.split('?', 1)
  const call = path.replace('/api/studioadmin/studios/3/jobs/12/', '')
  if (call === 'order-counts') return Response.json({ data: counts })
  if (call === 'orders')
    return Response.json({ data: { resultItems: [row], currentPage: 1, pageSize: 50, totalRecords: 700 } })
  const requestBody = JSON.parse(String(body))
  requestBodies = [...requestBodies, requestBody]
  return Response.json({ data: createSubmitResponse(requestBody.after) })
}

const pageText = () => document.body.textContent

beforeEach(() => localStorage.setItem('authToken', token))
afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
  queryClient.clear()
  requestBodies = []
})

test('a bulk action on more orders than the limit continues from the last order of the first request', async () => {
  vi.stubGlobal('fetch', respond)
  render(
    <QueryClientProvider client={queryClient}>
      <StudioContext value={studio}>
        <IndividualOrdersScreen {...job} />
        <ConfirmHost />
      </StudioContext>
    </QueryClientProvider>,
  )
  click(await waitForPage(() => getElement('tbody input[type="checkbox"]')))
  click(getButton('Select all 700'))
  click(getButton('Submit to the lab'))
  click(await waitForPage(() => getButton('Submit')))
  await waitForPage(() =>
    expect(pageText()).toContain('500 orders went to the lab. There are more than can be done at once.'),
  )
  click(getButton('Continue with the rest'))
  await waitForPage(() => expect(pageText()).toContain('200 orders went to the lab.'))
  expect(pageText()).not.toContain('Continue with the rest')
  const selection = { matching: { view: 'individual' } }
  expect(requestBodies).toEqual([{ which: selection }, { which: selection, after: 500 }])
})
