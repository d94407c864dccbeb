import type { Browser, BrowserContext, Page } from 'playwright/test'
import { waitUntilPageCached } from '#support/browser/offline-readiness.ts'
import { checkScreen, checkStaffScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  fetchCart,
  idsInUrl,
  openAda,
  savedAtServer,
  savedOnDevice,
} from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { testWithMail } from '#support/journeys/test-with-mail.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

const test = testWithMail()

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const configurationPath = '/admin/system/configuration'
const administrator = { email: 'admin@fieldproof.test', at: configurationPath }
const message = 'We are moving to new servers. Please come back at ten.'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Another person’s browser. */
const openBrowser = async (
  browser: Browser,
  baseURL: string | undefined,
): Promise<{ context: BrowserContext; page: Page }> => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' })
  return { context, page: await context.newPage() }
}

const readMaintenance = async (page: Page): Promise<unknown> => {
  const { data } = await (await page.request.get('/api/health')).json()
  return data.maintenance
}

const changeSetting = async (page: Page, label: string, value: string): Promise<void> => {
  await page.getByRole('button', { name: `Change “${label}”` }).click()
  const dialog = page.getByRole('dialog', { name: label })
  await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
}

test('An administrator changes a limit, which applies to the next invitation, and resets it', async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const owner = await openBrowser(browser, baseURL)
  const invite = async (email: string) => {
    await owner.page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = owner.page.getByRole('dialog', { name: 'Invite someone' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Ira Levin')
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    return dialog
  }
  const row = page.getByRole('listitem').filter({ hasText: 'Open invitations of a studio' })

  await test.step('A value outside the limits is refused, and another is saved', async () => {
    await signIn(page, administrator)
    await page.getByRole('button', { name: 'Change “Open invitations of a studio”' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Open invitations of a studio').fill('0')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Enter a whole number from 1 to 1000')).toBeVisible()
    await checkStaffScreen(page, '276-setting')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await changeSetting(page, 'Open invitations of a studio', '1')
    await expect(row).toContainText('1 invitation')
    await expect(row).toContainText('; the default is 50 invitations')
    await checkStaffScreen(page, '275-changed-configuration')
  })

  await test.step('The second invitation of a studio is refused', async () => {
    await signIn(owner.page, { email: 'owner@riverside.test', at: '/admin/studios/1/settings/staff' })
    await expect(await invite('ira@riverside.test')).toBeHidden()
    const dialog = await invite('ina@riverside.test')
    await expect(dialog.getByText('An invitation waits for an answer. Take one back first')).toBeVisible()
  })

  await test.step('After a reset it is sent', async () => {
    await page.goto(configurationPath)
    await page.getByRole('button', { name: 'Reset to default: “Open invitations of a studio”' }).click()
    await expect(toastWithText(page, '“Open invitations of a studio” is 50 invitations again')).toBeVisible()
    await owner.page.goto('/admin/studios/1/settings/staff')
    await expect(await invite('ina@riverside.test')).toBeHidden()
    await owner.context.close()
  })

  await test.step('The administrator reads that only owners invite, also inside the studio', async () => {
    await letAdministratorIn(request)
    await page.goto('/admin/studios/1/settings/staff')
    await expect(page.getByRole('heading', { name: 'Only the owners of the studio can do this' })).toBeVisible()
    await checkStaffScreen(page, '278-owners-only')
  })
})

test('An administrator tests the emails, and reads what the mail server answers', async ({ page, mailSink }) => {
  await signIn(page, administrator)
  await changeSetting(page, 'Name of the sender', 'Riverside Pictures')
  const button = page.getByRole('button', { name: 'Send a test email to me' })
  await button.click()
  await expect(page.getByText('Sent to admin@fieldproof.test')).toBeVisible()
  await expect(page.getByText('The mail server answered: 250')).toBeVisible()
  const mails = mailSink.delivered.filter(({ to }) => to.includes('admin@fieldproof.test'))
  expect(mails.map(({ raw }) => raw.includes('From: Riverside Pictures <hello@fieldproof.test>'))).toEqual([true])
  mailSink.behaviour.refuse = () => ({ code: 550, message: 'No such mailbox' })
  await button.click()
  await expect(page.getByText('The email to admin@fieldproof.test was not sent')).toBeVisible()
  await expect(page.getByText(/The mail server answered: .*No such mailbox/)).toBeVisible()
  mailSink.behaviour.refuse = () => undefined
  await checkStaffScreen(page, '277-test-email')
})

test('During maintenance a parent’s cart works on the device, and is sent when an administrator opens the product', async ({
  page,
  browser,
  baseURL,
}) => {
  const parent = await openBrowser(browser, baseURL)
  const staff = await openBrowser(browser, baseURL)
  const quantity = parent.page.locator('article output')
  const moreButton = parent.page.getByRole('button', { name: /^One more/ })

  await test.step('A parent has an open cart, and staff work', async () => {
    await openAda(parent.page)
    await waitUntilPageCached(parent.page)
    await choosePackage(parent.page, /Package F/)
    await addToCart(parent.page)
    await expect(cartStatus(parent.page)).toHaveText(savedAtServer)
    await signIn(staff.page, { at: '/admin/studios/1/jobs' })
    await expect(heading(staff.page, 'Jobs')).toBeVisible()
  })
  const { jobId } = idsInUrl(parent.page)
  const cartUrl = parent.page.url()

  await test.step('An administrator writes a message and closes the product', async () => {
    await signIn(page, administrator)
    await page.getByRole('button', { name: 'Message and window' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Message').fill(message)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Close now' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close now' }).click()
    await expect(page.getByText('Closed for maintenance', { exact: true })).toBeVisible()
    await expect.poll(() => readMaintenance(page)).toBe(message)
    await checkStaffScreen(page, '278-closed')
  })

  await test.step('The parent changes the quantity, reads the message, and goes on with the cart', async () => {
    await moreButton.click()
    await expect(parent.page).toHaveURL(/\/maintenance\?from=/)
    await expect(heading(parent.page, 'We’ll be back in a moment')).toBeVisible()
    await expect(parent.page.getByText(message)).toBeVisible()
    await checkScreen(parent.page, '279-maintenance-message')
    await parent.page.getByRole('link', { name: 'Go on with my cart' }).click()
    await expect(quantity).toHaveText('2')
    await moreButton.click()
    await expect(quantity).toHaveText('3')
    await expect(cartStatus(parent.page)).toContainText(savedOnDevice)
    expect(parent.page.url()).toBe(cartUrl)
  })

  await test.step('Staff read the message too, and cannot sign in', async () => {
    await staff.page.goto('/admin/studios/1/organizations')
    await expect(staff.page).toHaveURL(/\/maintenance\?from=/)
    await expect(staff.page.getByText(message)).toBeVisible()
    const refused = await staff.page.request.post('/api/auth/login', {
      data: { username: 'staff@riverside.test', password: 'fieldproof-demo' },
    })
    expect(refused.status()).toBe(503)
  })

  await test.step('Another administrator’s sign-in works, and opens the product', async () => {
    const other = await openBrowser(browser, baseURL)
    await signIn(other.page, administrator)
    await other.page.getByRole('button', { name: 'Open again' }).click()
    await expect(toastWithText(other.page, 'The product is open again')).toBeVisible()
    await expect.poll(() => readMaintenance(other.page)).toBeUndefined()
    await other.context.close()
  })

  await test.step('The cart is sent, and staff are back on their screen', async () => {
    await expect(cartStatus(parent.page)).toHaveText(savedAtServer, { timeout: 60_000 })
    await expect(quantity).toHaveText('3')
    const { cartPackages } = await fetchCart(parent.page, jobId)
    expect(cartPackages.map((line) => line.quantity)).toEqual([3])
    await expect(staff.page).toHaveURL('/admin/studios/1/organizations')
  })

  await test.step('A planned window is announced to staff and to parents', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Message and window' }).click()
    const dialog = page.getByRole('dialog')
    const tomorrow = await page.evaluate(() => {
      const date = new Date(Date.now() + 24 * 60 * 60 * 1000)
      return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    })
    await dialog.getByLabel('Closes').fill(`${tomorrow}T22:00`)
    await dialog.getByLabel('Opens again').fill(`${tomorrow}T20:00`)
    await dialog.getByLabel('Announced this many hours before').fill('48')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('The end must be after the start')).toBeVisible()
    await checkStaffScreen(page, '280-maintenance-window')
    await dialog.getByLabel('Opens again').fill(`${tomorrow}T23:00`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Open, maintenance is announced', { exact: true })).toBeVisible()
    await staff.page.reload()
    await expect(staff.page.getByText(/^Closed from .*10:00 PM to .*11:00 PM/)).toBeVisible()
    await expect(staff.page.getByText(message)).toBeVisible()
    await checkStaffScreen(staff.page, '281-announced')
    await openAda(parent.page)
    await expect(parent.page.getByText(/Ordering is closed for maintenance from/)).toBeVisible()
  })
  await parent.context.close()
  await staff.context.close()
})
