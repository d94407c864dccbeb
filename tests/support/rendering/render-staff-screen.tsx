import { QueryClientProvider } from '@tanstack/react-query'
import { getDefaultStore } from 'jotai'
import { act } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { matchRoute } from '#client/app/match-route.ts'
import { GuardedScreen } from '#client/app/staff/staff-app.tsx'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import type { JobSettings } from '#contract/studio/job-settings.ts'
import { cleanUp } from './render.tsx'

const exp = 4_000_000_000
const token = `h.${btoa(JSON.stringify({ nameid: '7', permission: 'studio.admin.crud', exp }))}.s`

/** A studio as its call returns it. */
export const studioResponse = (id: number) => ({
  ...{ id, slug: `studio-${id}`, name: `Studio ${id}`, phone: '', email: '', website: '' },
  ...{ timeZone: 'America/New_York', hosts: [], accent: null, logo: null, logoShape: null },
  ...{ hasLegacyJobs: false, hasRSPOJobs: true, rspoEnabled: true, deletesAt: null, isMillersVerified: true },
  verification: null,
  address: { address1: '', address2: '', city: '', state: '', zip: '' },
  packagePreferences: {
    ...{ taxClass: 'standard', allowConsumerCrop: true, order: 'last', offeredPrepay: true, offeredGallery: true },
  },
  reminderPreferences: { 'order-by': true, 'images-online': true, cart: true },
  isSharingEnabled: true,
  version: 1,
})

/** The access of the administrator to a studio as its call returns it: an owner let them in, with changes and sharp photos. */
export const ownSupportAccess = {
  studioName: 'Riverside',
  open: {
    ...{ id: 1, administratorId: 7, administratorName: 'Alex', reason: '', state: 'open', consentedBy: 'Olive' },
    ...{ askedAt: '2027-04-15T10:00:00.000Z', startsAt: '2027-04-15T10:00:00.000Z' },
    ...{ endsAt: '2027-04-15T11:00:00.000Z', mayChange: true, hasSharpPhotos: true, endedAt: null, endedBy: null },
  },
  asked: null,
  last: null,
}

const openAvailability = { available: true, opens: null, closes: null }
/** A job as its call returns it. */
export const jobResponse = {
  ...{ id: 12, name: 'Spring', organizationId: 5, organizationName: 'Lincoln Elementary', eventDate: null },
  ...{ code: 'SPRING', state: 'draft', version: { major: 3, minor: 0 }, settingsVersion: 1, rspoJob: true },
  ...{ publishedAt: null, archivedAt: null, importedData: true, prepaySettings: { importedData: true } },
  availability: { published: false, archived: false, prepay: openAvailability, gallery: openAvailability },
  gallerySettings: { enableYearBookPoseSelection: false, isYearBookPoseSelectionExpired: false },
  ...{ packageSetId: null, parentPath: null, timeZone: 'America/New_York', hasOrders: false },
}

const closedMethod = { enabled: false, opensAt: null, closesAt: null, importedData: false }
/** Settings of a job that offers nothing, as their call returns them. */
export const jobSettingsResponse: JobSettings = {
  ...{ version: 1, timeZone: 'America/New_York', watermarks: [], templates: [], prefields: [] },
  general: {
    ...{
      name: 'Spring',
      description: '',
      eventDate: null,
      orderBy: null,
      lateBasisPoints: null,
      lateCents: null,
      organizationId: null,
      code: 'SPRING',
    },
    ...{ ownCodeOnly: false, contact: null },
    preferences: { namesOnThumbnails: true, pricesBeforePose: true, orderByCountdown: true, contact: true },
  },
  standard: {
    ...{ allowRetouch: false, allowNameOnAllPrints: false, allowNameOnWallets: false, imageLevelService: false },
    services: [],
  },
  preorder: {
    ...closedMethod,
    shipsHome: true,
    shipsBatch: true,
    batchClosesOn: null,
    freeShippingUntil: null,
    deliveryDaysFrom: null,
    deliveryDaysTo: null,
    handedOutOn: null,
  },
  gallery: {
    ...{ ...closedMethod, isPublic: false, expiresOn: null, watermarkId: null },
    ...{ enableYearBookPoseSelection: false, yearBookPoseExpiresAt: null, isYearBookPoseSelectionExpired: false },
  },
}

/**
 * For tests of whole staff screens: signs an administrator in, and stubs the server. The response to a path is that of `responseDataFor`, or else
 * a verified studio or its features, or else 404. Returns the URLs of the requests.
 */
export const stubStaffServer = (
  responseDataFor: (path: string, method: string) => unknown,
  featuresOf: () => readonly string[] = () => [],
) => {
  const requestedUrls: URL[] = []
  const dataFor = (path: string, method: string): unknown => {
    const stubbedData = responseDataFor(path, method)
    if (stubbedData !== undefined) return stubbedData
    if (/\/studios\/\d+$/.test(path)) return studioResponse(Number(path.split('/').at(-1)))
    if (path.endsWith('/support-access')) return ownSupportAccess
    if (path.endsWith('/features')) return featuresOf().map((identifier) => ({ identifier, name: identifier }))
    return undefined
  }
  beforeEach(() => {
    requestedUrls.splice(0)
    localStorage.setItem('authToken', token)
    localStorage.setItem('refreshToken', 'r1')
    const claims = { userId: '7', name: 'Alex', email: null, permissions: ['studio.admin.crud' as const] }
    getDefaultStore().set(claimsAtom, { ...claims, studioId: null, expiresAt: exp * 1000 })
    vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
      const url = new URL(address, 'https://fieldproof.test')
      requestedUrls.push(url)
      const data = dataFor(url.pathname, method)
      if (data instanceof Response) return data
      if (data === undefined) return Response.json({ errors: ['This path has no stubbed response'] }, { status: 404 })
      return Response.json({ data })
    })
  })
  afterEach(() => {
    cleanUp()
    vi.unstubAllGlobals()
    queryClient.clear()
    localStorage.clear()
    sessionStorage.clear()
  })
  return requestedUrls
}

/** Navigates to a path. Returns its screen. */
export const staffScreenAt = (address: string) => {
  act(() => history.replaceState(null, '', address))
  const match = matchRoute(staffRouteTable, address)
  if (!match) throw new Error(`${address} matches no route`)
  return (
    <QueryClientProvider client={queryClient}>
      <GuardedScreen {...match} address={address} />
    </QueryClientProvider>
  )
}

/** Retries `check` until it passes, while responses and chunks load. */
export const waitUntil = async (check: () => void): Promise<void> => {
  for (let attemptsLeft = 200; ; attemptsLeft -= 1) {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)))
    try {
      return check()
    } catch (error) {
      if (attemptsLeft === 0) throw error
    }
  }
}

/** The breadcrumbs with their links; the last is the current screen. */
export const breadcrumbs = (): string[] =>
  [...document.querySelectorAll('nav[aria-label="Breadcrumbs"] li > *')].map((breadcrumb) =>
    [breadcrumb.textContent, breadcrumb.getAttribute('href')].filter((part) => part !== null).join(' '),
  )

/** The targets of the links of this name within the screen. */
export const linkTargets = (name: string): (string | null)[] =>
  [...document.querySelectorAll('main a')].flatMap((link) =>
    link.textContent === name ? [link.getAttribute('href')] : [],
  )

/** The texts of a list, by row and cell. */
export const tableCells = (): string[][] =>
  [...document.querySelectorAll('main tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''),
  )
