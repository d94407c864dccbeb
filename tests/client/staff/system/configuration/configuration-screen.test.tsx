import { beforeEach, expect, test } from 'vitest'
import type { PlatformConfiguration, PlatformSetting } from '#contract/system/configuration.ts'
import { noMaintenance } from '#domain/configuration/maintenance.ts'
import { platformSettings, settingKeys } from '#domain/configuration/platform-settings.ts'
import { click, countElements, getButton, getElement, render, type } from '#support/rendering/render.tsx'
import { staffScreenAt, stubStaffServer, waitUntil } from '#support/rendering/render-staff-screen.tsx'
import { ConfirmHost } from '#ui/dialog/confirm-host.tsx'
import { ToastHost } from '#ui/toast/toast-host.tsx'

const address = '/admin/system/configuration'
const nobody = { changedBy: null, changedAt: null, version: 0 }
const changed = { changedBy: 'Alex', changedAt: '2027-04-15T10:00:00.000Z', version: 3 }
let configuration: PlatformConfiguration
let announced: object | null
let testAnswer: object

const settingWith = (key: PlatformSetting['key'], values: Partial<PlatformSetting>) => {
  configuration.settings = configuration.settings.map((setting) =>
    setting.key === key ? { ...setting, ...values } : setting,
  )
}

stubStaffServer((path, method) => {
  if (path === '/api/maintenance') return { announced }
  if (path.endsWith('/test-mail')) return testAnswer
  if (path === '/api/admin/configuration/settings/import-days' && method === 'PUT') {
    settingWith('import-days', { value: 90, isChanged: false, ...changed, version: 4 })
  }
  return path.startsWith('/api/admin/configuration') ? configuration : undefined
})

beforeEach(() => {
  announced = null
  configuration = {
    settings: settingKeys.map((key) => ({
      ...{ key, value: platformSettings[key].initial, unchangedValue: platformSettings[key].initial },
      ...{ isChanged: false, variable: null, ...nobody },
    })),
    maintenance: { ...noMaintenance, state: 'open', isForced: false, ...nobody },
    sendsMail: true,
  }
})

const open = async () => {
  render(
    <>
      {staffScreenAt(address)}
      <ConfirmHost />
      <ToastHost />
    </>,
  )
  await waitUntil(() => expect(countElements('main h3')).toBe(settingKeys.length))
}
const itemOf = (label: string) =>
  [...document.querySelectorAll('main li')].find((item) => item.querySelector('h3')?.textContent === label)

test('each setting shows its value and where it comes from', async () => {
  settingWith('studio-storage', { value: 5, unchangedValue: 5, variable: 'STUDIO_STORAGE_GB' })
  settingWith('import-days', { value: 30, isChanged: true, ...changed })
  await open()
  expect(itemOf('Storage of a studio')?.textContent).toContain('5 GB')
  expect(itemOf('Storage of a studio')?.textContent).toContain('From the environment of the server, STUDIO_STORAGE_GB')
  expect(itemOf('Imports')?.textContent).toMatch(/30 daysChanged by Alex on Apr 15.*; the default is 90 days/)
  expect(itemOf('Texts of emails')?.textContent).toContain('Default')
  expect(countElements('button[aria-label^="Reset to default"]')).toBe(1)
})

test('a changed setting is reset to its default', async () => {
  settingWith('import-days', { value: 30, isChanged: true, ...changed })
  await open()
  click(getElement('button[aria-label="Reset to default: “Imports”"]'))
  await waitUntil(() => expect(itemOf('Imports')?.textContent).toContain('Default; reset by Alex'))
})

test('a value outside the limits is refused before it is sent', async () => {
  await open()
  click(getElement('button[aria-label="Change “Imports”"]'))
  await waitUntil(() => expect(countElements('[name="value"]')).toBe(1))
  type(getElement<HTMLInputElement>('[name="value"]'), 'ten')
  click(getButton('Save'))
  await waitUntil(() => expect(document.body.textContent).toContain('Enter a whole number from 1 to 730'))
})

test('maintenance that the environment switched on cannot be ended here', async () => {
  configuration.maintenance = { ...configuration.maintenance, state: 'closed', isForced: true }
  await open()
  expect(document.body.textContent).toContain('MAINTENANCE=on in the environment of the server closes it')
  expect(document.body.textContent).not.toContain('Open again')
  expect(document.body.textContent).not.toContain('Close now')
})

test('planned maintenance is announced above every staff screen', async () => {
  announced = { message: 'New servers', from: '2027-04-15T20:00:00.000Z', until: '2027-04-15T22:00:00.000Z' }
  await open()
  await waitUntil(() => expect(document.body.textContent).toContain('Planned maintenance'))
  expect(document.body.textContent).toMatch(/Closed from Apr 1\d.* to Apr 1\d.*New servers/)
})

test.each([
  [{ to: 'a@b.test', state: 'sent', answer: '250 Queued' }, 'Sent to a@b.test', '250 Queued'],
  [{ to: 'a@b.test', state: 'failed', answer: 'Greeting never received' }, 'was not sent', 'Greeting never received'],
  [{ to: 'a@b.test', state: 'kept', answer: null }, 'is only in the log', 'Log of emails'],
])('the result of the test email %j is shown', async (answer, ...texts) => {
  testAnswer = answer
  await open()
  click(getButton('Send a test email to me'))
  for (const text of texts) await waitUntil(() => expect(document.body.textContent).toContain(text))
})
