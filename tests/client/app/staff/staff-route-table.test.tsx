import { QueryClientProvider } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { afterEach, describe, expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { matchRoute } from '#client/app/match-route.ts'
import { systemNavigation } from '#client/app/staff/navigation-items.ts'
import { GuardedScreen, StaffApp } from '#client/app/staff/staff-app.tsx'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { type Permission, pathOf, permissions } from '#contract/shapes/call.ts'
import { getStaffJob } from '#contract/studio/jobs.ts'
import { getStudio, listFeatures } from '#contract/studio/studio.ts'
import { getOwnSupportAccess } from '#contract/system/support-access.ts'
import { noLanding } from '#platform/landing.ts'
import { cleanUp, render } from '#support/rendering/render.tsx'
import { ownSupportAccess } from '#support/rendering/render-staff-screen.tsx'
import { documentTitle } from '#ui/page/document-title.ts'
import { toastLog } from '#ui/toast/toast.ts'
import { jobScreens, openScreens, type Screen, studioScreens, systemScreens } from '../spec-addresses.ts'

const studio = '/admin/studios/3'
const job = `${studio}/jobs/12`
const organizationJob = `${studio}/organizations/5/jobs/12`

type AddressedScreen = Screen & { address: string; area: 'open' | 'system' | 'studio' | 'job'; base: string }

const screensUnder = (base: string, area: AddressedScreen['area'], screens: readonly Screen[]): AddressedScreen[] =>
  screens.flatMap((screen) =>
    screen.tails.map((tail) => ({ ...screen, area, base, address: tail === '' ? base : `${base}/${tail}` })),
  )

const openRoutes = screensUnder('', 'open', openScreens)
const staffRoutes = [
  ...screensUnder('/admin', 'system', systemScreens),
  ...screensUnder(studio, 'studio', studioScreens),
  ...screensUnder(job, 'job', jobScreens),
  ...screensUnder(organizationJob, 'job', jobScreens),
]

const table = [...landingRoutes(noLanding), ...appRoutes, ...staffRouteTable]

describe('staff addresses and their aliases (section 2)', () => {
  test.each([...openRoutes, ...staffRoutes])(
    '$address has the route $name and its title',
    ({ address, name, title }) => {
      const route = matchRoute(table, address)?.route
      expect([route?.name, documentTitle(route?.title ?? null)]).toEqual([name, title])
    },
  )

  test('the route table has no routes except those of the specification and the ones listed here', () => {
    const specifiedNames = new Set([...openRoutes, ...staffRoutes].map(({ name }) => name))
    const otherRoutes = staffRouteTable.filter(({ name }) => !specifiedNames.has(name) && !name.startsWith('redirect '))
    expect(otherRoutes.map(({ name }) => name).sort()).toEqual([
      'job-data-import-one',
      'job-entry-receipt',
      'job-image-exports',
      'job-images',
      'job-order',
      'job-orders-one-batch',
      'job-package',
      'job-promotion',
      'job-shoot',
      'job-yearbook',
      'package',
      'studioadmin-coupon-code',
      'studioadmin-developers',
      'studioadmin-organization-commission',
      'studioadmin-payment-differences',
      'studioadmin-payout',
      'studioadmin-payouts',
      'studioadmin-staff',
      'studioadmin-support-access',
      'studioadmin-webhook',
      'system-workflow',
    ])
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
const openMethod = { available: true, opens: null, closes: null }

/** Cached responses for the studio and the job, as `useStaffQuery` stores them. */
const cacheResponses = ({ isMillersVerified = true, features = everyFeature, organizationId = 5 }) => {
  const studioParams = { studioId: 3 }
  queryClient.setQueryData([pathOf(getOwnSupportAccess, { id: 3 }, {}), {}], ownSupportAccess)
  queryClient.setQueryData([pathOf(getStudio, studioParams, {}), {}], {
    ...{ id: 3, slug: 'riverside', name: 'Riverside', timeZone: 'America/New_York', rspoEnabled: true },
    isMillersVerified,
  })
  queryClient.setQueryData(
    [pathOf(listFeatures, studioParams, {}), {}],
    features.map((identifier) => ({ identifier })),
  )
  queryClient.setQueryData([pathOf(getStaffJob, { ...studioParams, jobId: 12 }, {}), {}], {
    ...{ id: 12, name: 'Spring', organizationId, organizationName: 'Lincoln' },
    ...{ publishedAt: null, archivedAt: null, availability: { prepay: openMethod, gallery: openMethod } },
  })
}

afterEach(() => queryClient.clear())

/** Navigation items of a user at an address. */
const navigationItems = (address: string, claims: Claims, selector = '') => {
  getDefaultStore().set(claimsAtom, claims)
  history.replaceState(null, '', address)
  const match = matchRoute(staffRouteTable, address)
  if (!match) throw new Error(`${address} matches no route`)
  const route = { ...match.route, render: () => <p>the screen itself</p> }
  const { box } = render(
    <QueryClientProvider client={queryClient}>
      <GuardedScreen {...match} route={route} address={address} />
    </QueryClientProvider>,
  )
  const items = [...box.querySelectorAll(`nav[aria-label="Studio"] li a${selector}`)].map((link) => link.textContent)
  cleanUp()
  return items
}

/** Opens an address. Returns the final URL with the toast of a redirect, the screen's heading, or `inside` for the screen itself. */
const openAddress = (address: string, claims: Claims | null) => {
  const previousToastId = toastLog.current().at(-1)?.id
  getDefaultStore().set(claimsAtom, claims)
  history.replaceState(null, '', address)
  const match = matchRoute(staffRouteTable, address)
  if (!match) throw new Error(`${address} matches no route`)
  const route = { ...match.route, render: () => <p>the screen itself</p> }
  const { box } = render(
    <QueryClientProvider client={queryClient}>
      <GuardedScreen {...match} route={route} address={address} />
    </QueryClientProvider>,
  )
  const [text, heading] = [box.textContent, box.querySelector('h1')?.textContent]
  cleanUp()
  if (text?.includes('the screen itself')) return 'inside'
  if (location.pathname + location.search === address) return heading ?? 'nothing'
  const lastToast = toastLog.current().at(-1)
  const toastText = lastToast && lastToast.id !== previousToastId ? `: ${lastToast.text}` : ''
  return location.pathname + location.search + toastText
}

const areaNeeds: Record<string, readonly Permission[]> = {
  system: ['studio.admin.crud'],
  studio: ['studio.crud', 'studio.admin.crud'],
  job: ['studio.crud', 'studio.admin.crud'],
}

const denied = 'Access to Route Denied'
const verification = 'This studio needs to be verified by the partner to access this feature'

describe('guards of staff addresses (sections 2 and 6)', () => {
  test.each(staffRoutes)(
    '$address is open only to users and studios that may see it',
    ({ address, area, base, feature, needs, isForVerified, isExempt }) => {
      const login = `/login?ret=${encodeURIComponent(address)}`
      expect(openAddress(address, null), 'signed out').toBe(login)

      const requiredPermissions = needs ?? areaNeeds[area] ?? []
      // Users without access to their studio's home are redirected to a screen they may see, or get the no-access screen.
      const homeAlternatives = { 'studio.users.crud': `${studio}/settings/staff` } as Partial<
        Record<Permission, string>
      >
      for (const permission of permissions) {
        cacheResponses({})
        const redirect =
          address === studio ? (homeAlternatives[permission] ?? 'You don’t have access to this page') : studio
        const hasAccess = requiredPermissions.includes(permission)
        expect(openAddress(address, { ...staff, permissions: [permission] }), permission).toBe(
          hasAccess ? 'inside' : redirect,
        )
      }
      if (area === 'system') return

      cacheResponses({})
      expect(openAddress(address, { ...staff, studioId: 9 }), 'staff of another studio').toBe('/admin/studios/9')
      expect(openAddress(address, administrator), 'an administrator').toBe('inside')

      cacheResponses({ features: [] })
      const organizationRedirect = base === organizationJob ? `${studio}/organizations/5/overview` : undefined
      const featureRedirect =
        organizationRedirect ??
        (feature && `${feature.redirectTo.startsWith('/') ? '' : `${base}/`}${feature.redirectTo}`)
      const redirect = featureRedirect?.replace(/\/$/, '')
      expect(openAddress(address, administrator), 'a studio without features').toBe(
        redirect ? `${redirect}: ${denied}` : 'inside',
      )

      cacheResponses({ isMillersVerified: false })
      const unverified = isForVerified ? `${studio}/profile: ${verification}` : 'inside'
      expect(openAddress(address, administrator), 'a studio the partner has not verified').toBe(unverified)

      cacheResponses({ isMillersVerified: false, features: [...everyFeature, 'studioVerification'] })
      const expectedPending = isExempt ? 'inside' : isForVerified ? unverified : `${studio}/profile`
      expect(openAddress(address, administrator), 'a studio that waits for its verification').toBe(expectedPending)
    },
  )

  test('a user who may only manage staff is redirected from the home to the staff list and sees no other navigation item', () => {
    cacheResponses({})
    const claims = { ...staff, permissions: ['studio.users.crud' as const] }
    expect(openAddress(studio, claims)).toBe(`${studio}/settings/staff`)
    expect(openAddress(`${studio}/settings/staff`, claims)).toBe('inside')
    expect(navigationItems(`${studio}/settings/staff`, claims)).toEqual(['Account', 'Sign out'])
    expect(navigationItems(studio, staff)).toContain('Jobs')
  })

  test.each(systemScreens.flatMap(({ tails }) => tails))(
    'the administrators’ navigation is shown at /admin/%s',
    (tail) => {
      const address = tail === '' ? '/admin' : `/admin/${tail}`
      expect(navigationItems(address, administrator)).toEqual([
        ...systemNavigation.map(({ label }) => label),
        'Account',
        'Sign out',
      ])
    },
  )

  test.each([
    ['/admin', ['Home']],
    ['/admin/system/products', ['Products']],
    ['/admin/profile', []],
  ])('%s marks %j as current', (address, expected) => {
    expect(navigationItems(address, administrator, '[aria-current="page"]')).toEqual(expected)
  })

  test.each(staffRoutes.filter(({ base }) => base === organizationJob))(
    '$address is not found if the job belongs to another organization',
    ({ address }) => {
      cacheResponses({ organizationId: 6 })
      expect(openAddress(address, administrator)).toBe('Page not found')
    },
  )

  test('an unknown address shows one page with a link to the user’s home', () => {
    getDefaultStore().set(claimsAtom, staff)
    for (const address of [`${studio}/no/such/place`, studio.replace('/studios/3', '/studios/three')]) {
      const { box } = render(<StaffApp address={address} />)
      expect(box.querySelector('h1')?.textContent).toBe('Page not found')
      expect(box.querySelectorAll('main')).toHaveLength(1)
      expect(box.querySelector('main a')?.getAttribute('href')).toBe(`/admin/studios/${staff.studioId}`)
      expect(box.textContent).not.toContain('cart')
      cleanUp()
    }
  })

  test.each(screensUnder(studio, 'studio', studioScreens))(
    '$address is not found if the studio is not a number',
    ({ address }) => {
      expect(openAddress(address.replace('/studios/3', '/studios/three'), administrator)).toBe('Page not found')
    },
  )
})
