import { getDefaultStore } from 'jotai'
import { expect, test } from 'vitest'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { render } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const earned = (earnedCents: number, cashCents = 0) => ({
  ...{ earnedCents, cardCents: earnedCents - cashCents, cashCents, checkCents: 0, chargedCents: 0, refundedCents: 0 },
})

let features: string[] = []
const requestedUrls = stubStaffServer(
  (path) => {
    if (path.endsWith('/home'))
      return {
        states: { draft: 0, upcoming: 0, open: 1, closed: 0, archived: 0 },
        ...{ unmatchedImages: 0, toMatch: [], placed: 0, awaitingPoses: 0, batchesReady: 0, waiting: [], recent: [] },
        hasOrganization: true,
      }
    if (path.endsWith('/reports/payments/summary'))
      return {
        total: { ...earned(1_234_500, 20_000), before: null },
        thisMonth: { ...earned(50_000), before: earned(40_000) },
        thisWeek: { ...earned(-1500), before: earned(900) },
      }
    return undefined
  },
  () => features,
)

const openHome = async () => {
  const { box } = render(staffScreenAt('/admin/studios/3'))
  await waitUntil(() => expect(box.querySelector('section[aria-label="Jobs by state"]')).not.toBeNull())
  return box
}

test('the home shows what the studio earned, compared with the last week and month', async () => {
  features = ['reports']
  const box = await openHome()
  await waitUntil(() => expect(box.querySelector('section[aria-label="Earned"] ul')).not.toBeNull())
  const jobTiles = [...box.querySelectorAll('section[aria-label="Jobs by state"] li')]
  expect(jobTiles.map(({ textContent }) => textContent)).toEqual(['Open jobs1'])
  const tiles = [...box.querySelectorAll('section[aria-label="Earned"] li')].map((tile) =>
    [...tile.children].map((line) => line.textContent).join(' | '),
  )
  expect(tiles).toEqual([
    'Earned this week | -$15.00 | $9.00 at this point last week',
    'Earned this month | $500.00 | $400.00 at this point last month',
    'Earned, all time | $12,345.00 | $12,145.00 by card | $200.00 in cash',
  ])
})

test.each([
  ['without the feature', [], ['studio.admin.crud' as const]],
  ['without the permission', ['reports'], ['studio.crud' as const]],
])('the home neither shows nor requests what the studio earned %s', async (_, enabledFeatures, permissions) => {
  features = enabledFeatures
  const store = getDefaultStore()
  const claims = store.get(claimsAtom)
  if (!claims) throw new Error('nobody is signed in')
  store.set(claimsAtom, { ...claims, studioId: 3, permissions })
  const box = await openHome()
  expect(box.querySelector('section[aria-label="Earned"]')).toBeNull()
  expect(requestedUrls.filter(({ pathname }) => pathname.includes('summary'))).toEqual([])
})
