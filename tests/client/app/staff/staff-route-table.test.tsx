import { QueryClientProvider } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { afterEach, describe, expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { matchRoute } from '#client/app/match-route.ts'
import { GuardedScreen, StaffApp } from '#client/app/staff/staff-app.tsx'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { type Permission, pathOf, permissions } from '#contract/shapes/call.ts'
import { getStaffJob } from '#contract/studio/jobs.ts'
import { getStudio, listFeatures } from '#contract/studio/studio.ts'
import { noLanding } from '#platform/landing.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { documentTitle } from '#ui/page/document-title.ts'
import { toastLog } from '#ui/toast/toast.ts'
import {
  jobScreens,
  openScreens,
  type Screen,
  studioScreens,
  systemScreens,
  unbuiltAddresses,
} from '../spec-addresses.ts'

const studio = '/admin/studios/3'
const job = `${studio}/jobs/12`
const organizationsJob = `${studio}/organizations/5/jobs/12`

type Reachable = Screen & { address: string; area: 'open' | 'system' | 'studio' | 'job'; base: string }

const under = (base: string, area: Reachable['area'], screens: readonly Screen[]): Reachable[] =>
  screens.flatMap((screen) =>
    screen.tails.map((tail) => ({ ...screen, area, base, address: tail === '' ? base : `${base}/${tail}` })),
  )

const open = under('', 'open', openScreens)
const staffs = [
  ...under('/admin', 'system', systemScreens),
  ...under(studio, 'studio', studioScreens),
  ...under(job, 'job', jobScreens),
  ...under(organizationsJob, 'job', jobScreens),
]

const table = [...landingRoutes(noLanding), ...appRoutes, ...staffRouteTable]

describe('staff addresses and their aliases (section 2)', () => {
  test.each([...open, ...staffs])('$address has the route $name and its title', ({ address, name, title }) => {
    const route = matchRoute(table, address)?.route
    expect([route?.name, documentTitle(route?.title ?? null)]).toEqual([name, title])
  })

  test('the route table has only the routes of the specification and our own', () => {
    const named = new Set([...open, ...staffs].map(({ name }) => name))
    const more = staffRouteTable.filter(({ name }) => !named.has(name) && !name.startsWith('moved '))
    expect(more.map(({ name }) => name).sort()).toEqual([
      'job-data-import-one',
      'job-entry-receipt',
      'job-images',
      'job-order',
      'job-orders-one-batch',
      'job-package',
      'job-shoot',
      'package',
      'studioadmin-staff',
    ])
  })

  test.each(unbuiltAddresses)('%s has no screen yet', (address) => {
    expect(matchRoute(table, address)).toBeUndefined()
  })
})

const staff: Claims = {
  userId: '7',
  name: 'Sam',
  email: 'staff@riverside.test',
  permissions: ['studio.crud'],
  studioId: 3,
  expiresAt: 4_000_000_000_000,
}
const administrator: Claims = { ...staff, permissions: ['studio.crud', 'studio.admin.crud'], studioId: null }

const everyFeature = ['rspoJob', 'greenscreens', 'workflows', 'dataImport', 'orderEntry', 'reports', 'promotions']
const hours = { available: true, opens: null, closes: null }

/** Cached responses for the studio and the job, as `useStaffQuery` stores them. */
const answered = ({ isMillersVerified = true, features = everyFeature, organizationId = 5 }) => {
  const ofStudio = { studioId: 3 }
  queryClient.setQueryData([pathOf(getStudio, ofStudio, {}), {}], {
    ...{ id: 3, slug: 'riverside', name: 'Riverside', timeZone: 'America/New_York', rspoEnabled: true },
    isMillersVerified,
  })
  queryClient.setQueryData(
    [pathOf(listFeatures, ofStudio, {}), {}],
    features.map((identifier) => ({ identifier })),
  )
  queryClient.setQueryData([pathOf(getStaffJob, { ...ofStudio, jobId: 12 }, {}), {}], {
    ...{ id: 12, name: 'Spring', organizationId, organizationName: 'Lincoln' },
    ...{ publishedAt: null, archivedAt: null, availability: { prepay: hours, gallery: hours } },
  })
}

afterEach(() => queryClient.clear())

/** Navigation items of a user at an address. */
const offered = (address: string, claims: Claims) => {
  getDefaultStore().set(claimsAtom, claims)
  history.replaceState(null, '', address)
  const matched = matchRoute(staffRouteTable, address)
  if (!matched) throw new Error(`${address} leads nowhere`)
  const route = { ...matched.route, render: () => <p>the screen itself</p> }
  const { box } = render(
    <QueryClientProvider client={queryClient}>
      <GuardedScreen {...matched} route={route} address={address} />
    </QueryClientProvider>,
  )
  const words = [...box.querySelectorAll('nav[aria-label="Studio"] li a')].map((link) => link.textContent)
  cleanUp()
  return words
}

/** Where a user ends up who opens an address, and which message they see; `inside` is the screen itself. */
const arrive = (address: string, claims: Claims | null) => {
  const before = toastLog.current().at(-1)?.id
  getDefaultStore().set(claimsAtom, claims)
  history.replaceState(null, '', address)
  const matched = matchRoute(staffRouteTable, address)
  if (!matched) throw new Error(`${address} leads nowhere`)
  const route = { ...matched.route, render: () => <p>the screen itself</p> }
  const { box } = render(
    <QueryClientProvider client={queryClient}>
      <GuardedScreen {...matched} route={route} address={address} />
    </QueryClientProvider>,
  )
  const [text, heading] = [box.textContent, box.querySelector('h1')?.textContent]
  cleanUp()
  if (text?.includes('the screen itself')) return 'inside'
  if (location.pathname + location.search === address) return heading ?? 'nothing'
  const last = toastLog.current().at(-1)
  const word = last && last.id !== before ? `: ${last.text}` : ''
  return location.pathname + location.search + word
}

const areaNeeds: Record<string, readonly Permission[]> = {
  system: ['studio.admin.crud'],
  studio: ['studio.crud', 'studio.admin.crud'],
  job: ['studio.crud', 'studio.admin.crud'],
}

const denied = 'Access to Route Denied'
const verification = 'This studio needs to be verified by the partner to access this feature'

describe('guards of staff addresses (sections 2 and 6)', () => {
  test.each(staffs)(
    '$address is open only to users and studios that may see it',
    ({ address, area, base, needs, feature, isForVerified, isExempt }) => {
      const login = `/login?ret=${encodeURIComponent(address)}`
      expect(arrive(address, null), 'signed out').toBe(login)

      const wanted = needs ?? areaNeeds[area] ?? []
      // Users who may not see their studio's home go to a screen they may see, or get the no-access screen.
      const beside = { 'studio.users.crud': `${studio}/settings/staff` } as Partial<Record<Permission, string>>
      for (const permission of permissions) {
        answered({})
        const turnedTo = address === studio ? (beside[permission] ?? 'This page is not open to you') : studio
        const may = wanted.includes(permission)
        expect(arrive(address, { ...staff, permissions: [permission] }), permission).toBe(may ? 'inside' : turnedTo)
      }
      if (area === 'system') return

      answered({})
      expect(arrive(address, { ...staff, studioId: 9 }), 'staff of another studio').toBe('/admin/studios/9')
      expect(arrive(address, administrator), 'an administrator').toBe('inside')

      answered({ features: [] })
      const byOrganization = base === organizationsJob ? `${studio}/organizations/5/overview` : undefined
      const away =
        byOrganization ?? (feature && `${feature.instead.startsWith('/') ? '' : `${base}/`}${feature.instead}`)
      const instead = away?.replace(/\/$/, '')
      expect(arrive(address, administrator), 'a studio without features').toBe(
        instead ? `${instead}: ${denied}` : 'inside',
      )

      answered({ isMillersVerified: false })
      const unverified = isForVerified ? `${studio}/profile: ${verification}` : 'inside'
      expect(arrive(address, administrator), 'a studio the partner has not verified').toBe(unverified)

      answered({ isMillersVerified: false, features: [...everyFeature, 'studioVerification'] })
      const waiting = isExempt ? 'inside' : isForVerified ? unverified : `${studio}/profile`
      expect(arrive(address, administrator), 'a studio that waits for its verification').toBe(waiting)
    },
  )

  test('a user who may only manage staff is redirected from the home to the staff list and sees no other navigation item', () => {
    answered({})
    const claims = { ...staff, permissions: ['studio.users.crud' as const] }
    expect(arrive(studio, claims)).toBe(`${studio}/settings/staff`)
    expect(arrive(`${studio}/settings/staff`, claims)).toBe('inside')
    expect(offered(`${studio}/settings/staff`, claims)).toEqual(['Account', 'Sign out'])
    expect(offered(studio, staff)).toContain('Jobs')
  })

  test.each(staffs.filter(({ base }) => base === organizationsJob))(
    '$address is not found if the job belongs to another organization',
    ({ address }) => {
      answered({ organizationId: 6 })
      expect(arrive(address, administrator)).toBe('There is nothing at this address')
    },
  )

  test('an unknown address shows one page with a link to the user’s home', () => {
    getDefaultStore().set(claimsAtom, staff)
    for (const address of [`${studio}/no/such/place`, studio.replace('/studios/3', '/studios/three')]) {
      const { box } = render(<StaffApp address={address} />)
      expect(box.querySelector('h1')?.textContent).toBe('There is nothing at this address')
      expect(box.querySelectorAll('main')).toHaveLength(1)
      expect(box.querySelector('main a')?.getAttribute('href')).toBe(`/admin/studios/${staff.studioId}`)
      expect(box.textContent).not.toContain('cart')
      cleanUp()
    }
  })

  test.each(under(studio, 'studio', studioScreens))(
    '$address is not found if the studio is not a number',
    ({ address }) => {
      expect(arrive(address.replace('/studios/3', '/studios/three'), administrator)).toBe(
        'There is nothing at this address',
      )
    },
  )
})
