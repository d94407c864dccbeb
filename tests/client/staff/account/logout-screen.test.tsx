import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { LogoutScreen } from '#client/staff/account/logout-screen.tsx'
import { staffDatabase } from '#client/staff/kit/query/staff-sender.ts'
import { storeShootRequest, storeSignOut } from '#local/outbox/staff-outbox.ts'
import { storeResponse } from '#local/store/stored-responses.ts'
import { render, waitForPage } from '#support/rendering/render.tsx'

beforeEach(async () => {
  await staffDatabase.delete()
  await staffDatabase.open()
  await storeResponse(staffDatabase, { address: '/list', studioId: 1, data: [], now: Date.now() })
})

const storeCheckIn = (requestId: string) =>
  storeShootRequest(staffDatabase, {
    requestId,
    request: { kind: 'undo', key: requestId, studioId: 1, jobId: 1 },
    about: requestId,
    subjectName: 'Ada',
  })

const renderLogout = async () => {
  render(<LogoutScreen />)
  await waitForPage(() =>
    expect(document.body.textContent).toMatch(/You are signed out.*( no longer on | stays? on | is still )/),
  )
  return document.body.textContent
}

test('signing out without pending check-ins deletes all data of the device, including subject lists', async () => {
  expect(await renderLogout()).toContain('Your account is no longer on this device.')
  expect(await staffDatabase.answers.count()).toBe(0)
})

test('the logout screen shows a sign-out that is not sent yet until it is sent', async () => {
  await storeSignOut(staffDatabase, { requestId: 'end', request: { kind: 'signOut', refreshToken: 'secret' } })
  // Prevents sending during this test.
  await staffDatabase.requests.toCollection().modify({ nextAt: Date.now() + 60_000 })
  const pageText = await renderLogout()
  expect(pageText).toContain('Your sign-in is still stored on this device. It ends once the device is online.')
  expect(pageText).not.toContain('is no longer on this device')
  await staffDatabase.requests.clear()
  await waitForPage(() => expect(document.body.textContent).toContain('Your account is no longer on this device.'))
})

test('the logout screen counts pending and rejected check-ins', async () => {
  await storeCheckIn('one')
  await staffDatabase.requests.toCollection().modify({ state: 'rejected' })
  await storeCheckIn('two')
  const pageText = await renderLogout()
  expect(pageText).toContain('2 check-ins stay on this tablet until someone from their studio signs in here.')
  expect(pageText).not.toContain('is no longer on this device')
  expect(await staffDatabase.answers.count()).toBe(1)
})
