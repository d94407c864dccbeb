import { getDefaultStore } from 'jotai'
import { expect, test } from 'vitest'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { render } from '#support/rendering/render.tsx'
import { ownSupportAccess, staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'

const needed = () =>
  Response.json(
    { errors: ['You need the consent of this studio’s owner'], problem: 'support-access-needed' },
    { status: 403 },
  )

/** The access that the server returns; null without one. */
let own: { open: object | null; asked: object | null; last: object | null } & { studioName: string } = ownSupportAccess
const requestedUrls = stubStaffServer((path) => {
  if (path.endsWith('/support-access')) return own
  return own.open === null && path.includes('/studioadmin/') ? needed() : undefined
})

const heading = () => document.querySelector('h1')?.textContent
const banner = () => [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join()

test('without access an administrator is asked for a reason, and no data of the studio is requested', async () => {
  own = { studioName: 'Riverside', open: null, asked: null, last: null }
  render(staffScreenAt('/admin/studios/3/jobs'))
  await waitUntil(() => expect(heading()).toBe('Access to Riverside'))
  expect(document.querySelector('input[name="reason"]')).not.toBeNull()
  expect(requestedUrls.filter(({ pathname }) => pathname.startsWith('/api/studioadmin/'))).toEqual([])
})

test('inside, a banner names the studio, the end, what is allowed, who allowed it and why', async () => {
  own = { ...ownSupportAccess, open: { ...ownSupportAccess.open, mayChange: false, reason: 'Photos are missing' } }
  render(staffScreenAt('/admin/studios/3/settings'))
  await waitUntil(() => expect(heading()).toBe('Settings'))
  expect(banner()).toContain('You are in Riverside until Apr 15')
  expect(banner()).toContain('Read-only, images shown. Olive allowed it. Reason: “Photos are missing”')
})

test('a refused call closes the studio and says who ended the access', async () => {
  own = ownSupportAccess
  render(staffScreenAt('/admin/studios/3/settings'))
  await waitUntil(() => expect(heading()).toBe('Settings'))
  const ended = { ...ownSupportAccess.open, state: 'ended', endedAt: '2027-04-15T10:30:00.000Z', endedBy: 'Olive' }
  own = { ...ownSupportAccess, open: null, last: ended }
  render(staffScreenAt('/admin/studios/3/jobs'))
  await waitUntil(() => expect(banner()).toContain('Olive ended your access on Apr 15'))
})

test.each(['developers', 'developers/webhooks/5', 'support-access'])(
  'settings/%s, for owners only, shows an administrator why it is closed, and neither requests nor offers anything',
  async (tail) => {
    own = ownSupportAccess
    const permissions = ['studio.admin.crud', 'studio.users.crud'] as const
    getDefaultStore().set(claimsAtom, (claims) => claims && { ...claims, permissions: [...permissions] })
    render(staffScreenAt(`/admin/studios/3/settings/${tail}`))
    await waitUntil(() => expect(document.querySelector('h2')?.textContent).toBe('For the owners only'))
    expect(document.querySelectorAll('main button, main form')).toHaveLength(0)
    expect(requestedUrls.some(({ pathname }) => /tokens|webhooks|support-accesses/.test(pathname))).toBe(false)
  },
)
