import type { Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { test as base, expect } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { dismissToasts, toastWithText } from '#support/journeys/toasts.ts'
import { isSignedWith, startReceiver } from '#support/server/webhook-receiver.ts'

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({}, use) => {
    const receiver = await startReceiver()
    await use(receiver)
    await receiver.close()
  },
})

const desk = { width: 1280, height: 900 }
test.use({ viewport: desk, hasTouch: false, isMobile: false, deviceScaleFactor: 1 })

const developers = '/admin/studios/1/settings/developers'

/** Checks the screen at all widths, then restores the desktop viewport. */
const checkScreenAtDesk = async (page: Page, name: string): Promise<void> => {
  await dismissToasts(page)
  await checkStaffScreen(page, name)
  await page.setViewportSize(desk)
}

test('An owner creates a token, a program uses it, and the owner revokes it', async ({ page, request }) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1/settings' })
  await page.getByRole('link', { name: 'Tokens and webhooks' }).click()
  await expect(page.getByText('No tokens yet.')).toBeVisible()

  const token = await test.step('The token is shown once', async () => {
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('button', { name: 'Create the token' }).click()
    await expect(page.getByRole('combobox', { name: 'Orders' })).toHaveAccessibleDescription(
      /Choose what the token may do/,
    )
    await page.getByRole('textbox', { name: 'Name' }).fill('Accounting')
    await page.getByRole('combobox', { name: 'Jobs' }).selectOption('Read')
    await checkScreenAtDesk(page, '292-new-token')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const text = await page.getByRole('dialog').getByText(/^fp_/).innerText()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /Accounting/ })
    await expect(row).toContainText(`fp_…${text.slice(-4)}`)
    await expect(row).toContainText('Never')
    await expect(page.getByText(text)).toHaveCount(0)
    return text
  })

  const statusOf = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    return (await request.get(`/api/studioadmin/studios/1/${path}`, { headers })).status()
  }

  await test.step('A program reads what the token allows, and the reference says what that is', async () => {
    expect([await statusOf('jobs'), await statusOf('packages'), await statusOf('users')]).toEqual([200, 403, 403])
    const document = await (await request.get('/api/openapi.json')).json()
    expect(document.paths['/api/studioadmin/studios/{studioId}/jobs'].get.security[0].apiToken).toEqual(['jobs:read'])
    await page.reload()
    await expect(page.getByRole('row', { name: /Accounting/ })).not.toContainText('Never')
    await checkScreenAtDesk(page, '290-developers')
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Reference of the API' }).click()
    const reference = await opened
    await reference.getByRole('searchbox', { name: 'Find a call' }).fill('order refund')
    await reference.getByRole('button', { name: 'Find' }).click()
    await reference.getByRole('link', { name: 'Refund order' }).click()
    await expect(reference.getByText('A token needs the scope orders:write')).toBeVisible()
    await checkStaffScreen(reference, '293-reference')
    await reference.close()
  })

  await test.step('A revoked token is refused at the next request', async () => {
    await page.getByRole('button', { name: 'Revoke Accounting' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('No tokens yet.')).toBeVisible()
    expect(await statusOf('jobs')).toBe(401)
  })
})

test('An owner creates a webhook, tests it, reads the log, and sends an event again', async ({ page, receiver }) => {
  receiver.answerTo = () => 200
  await signIn(page, { email: 'owner@riverside.test', at: developers })

  await test.step('A webhook needs an address and an event', async () => {
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('example.com')
    await page.getByRole('checkbox', { name: 'Order paid' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(/Enter a complete address/)
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Webhook', exact: true })).toBeVisible()
    await expect(page.getByText('No deliveries yet')).toBeVisible()
  })

  const secret = await test.step('The secret is shown on request', async () => {
    await page.getByRole('button', { name: 'Show the secret' }).click()
    return await page.getByText(/^whsec_/).innerText()
  })

  const row = page.getByRole('row', { name: /webhook\.test/ })
  await test.step('A test event arrives with a valid signature', async () => {
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect(toastWithText(page, 'A test event is on its way')).toBeVisible()
    await expect(row).toContainText('Delivered')
    const [event] = receiver.events
    expect(event && [event.type, isSignedWith(event, secret)]).toEqual(['webhook.test', true])
    await checkScreenAtDesk(page, '291-webhook')
  })

  await test.step('The log shows what was sent and answered, and sends it again with the same id', async () => {
    await row.getByRole('button', { name: 'webhook.test' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('This is a test')).toBeVisible()
    await expect(dialog.getByText(/The answer was 200/)).toBeVisible()
    await checkScreenAtDesk(page, '294-delivery')
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await expect(toastWithText(page, 'The event is sent again')).toBeVisible()
    await expect.poll(() => receiver.events.length).toBe(2)
    expect(new Set(receiver.events.map(({ id }) => id)).size).toBe(1)
    await expect(row).toContainText('Delivered')
  })

  await test.step('All events since a time are sent again', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Send events again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await expect(toastWithText(page, 'One event is sent again')).toBeVisible()
    await expect.poll(() => receiver.events.length).toBe(3)
  })

  await test.step('A new secret is valid beside the old one', async () => {
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new secret' }).click()
    await expect(page.getByText(/^The previous secret is valid until/)).toBeVisible()
    const newSecret = await page.getByText(/^whsec_/).innerText()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await expect.poll(() => receiver.events.length).toBe(4)
    const event = receiver.events.at(-1)
    expect([secret, newSecret].map((each) => event && isSignedWith(event, each))).toEqual([true, true])
  })

  await test.step('The webhook is removed', async () => {
    await dismissToasts(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
  })
})

test('Staff who do not manage users find no developers’ screen', async ({ page }) => {
  await signIn(page, { at: '/admin/studios/1/settings' })
  await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Tokens and webhooks' })).toHaveCount(0)
  await page.goto(developers)
  await expect(page).toHaveURL(/\/admin\/studios\/1$/)
})
