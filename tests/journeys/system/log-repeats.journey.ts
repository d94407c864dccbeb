import {
  addAndSyncPackage,
  fillCardForm,
  fillCheckoutForm,
  pay,
  readOrderNumber,
} from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { testWithMail } from '#support/journeys/test-with-mail.ts'
import { toastWithText } from '#support/journeys/toasts.ts'
import { startFakeJsonService } from '#support/server/fake-json-service.ts'

const taxService = await startFakeJsonService()
const test = testWithMail({ TAX: 'http', TAX_URL: taxService.url, TAX_TOKEN: 'secret' })

test.afterAll(() => taxService.close())

test('An administrator repeats a failed tax request of an order, and sends its receipt again', async ({
  page,
  browser,
  request,
  baseURL,
  mailSink,
}) => {
  await letAdministratorIn(request)
  taxService.respond = () => ({ status: 503, body: {} })
  await addAndSyncPackage(page, /Package C/)
  await fillCheckoutForm(page)
  await fillCardForm(page, '4242 4242 4242 4242')
  await pay(page)
  const orderNumber = await readOrderNumber(page)

  const context = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 1280, height: 800 } })
  const admin = await context.newPage()
  const rows = admin.getByRole('row').filter({ hasText: orderNumber })

  await test.step('The failed request is repeated, and its answer is an entry of its own', async () => {
    await signIn(admin, { email: 'admin@fieldproof.test', at: '/admin/system/vertex-logs' })
    await admin.getByLabel('State').selectOption({ label: 'Failed' })
    const failed = rows.filter({ hasText: 'Failed' }).first()
    await failed.getByRole('button').first().click()
    const dialog = admin.getByRole('dialog', { name: 'Tax request' })
    await expect(dialog).toContainText('503')
    taxService.respond = (body) => {
      const { lineItems } = body as { lineItems: { lineItemId: string }[] } // a request in the shape of Vertex
      return { status: 200, body: { data: { lineItems: lineItems.map((line) => ({ ...line, totalTax: 3.21 })) } } }
    }
    await dialog.getByRole('button', { name: 'Repeat the request' }).click()
    await expect(toastWithText(admin, 'The tax service answered')).toBeVisible()
    await expect(dialog).toContainText('"totalTax": 3.21')
    await expect(dialog.getByRole('button', { name: 'Repeat the request' })).toBeHidden()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await admin.getByLabel('State').selectOption({ label: 'Answered' })
    await expect(rows.filter({ hasText: 'Failed' })).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Answered' })).toHaveCount(1)
  })

  await test.step('The entry opens its order, whose emails open in their log', async () => {
    await rows.getByRole('link', { name: orderNumber }).click()
    await expect(admin.getByRole('heading', { level: 1, name: orderNumber })).toBeVisible()
    const emails = admin.getByRole('region', { name: 'Emails' })
    await expect(emails.getByRole('listitem')).toHaveCount(1)
    await emails.getByRole('link', { name: 'Open them in the log' }).click()
    await expect(admin.getByRole('heading', { level: 1, name: 'Emails' })).toBeVisible()
    await expect(rows).toHaveCount(1)
  })

  await test.step('The receipt is sent again', async () => {
    const receipts = () => mailSink.delivered.filter(({ raw }) => raw.includes(orderNumber)).length
    await expect.poll(receipts).toBe(1)
    await rows.getByRole('button', { name: 'Send again' }).click()
    await expect(toastWithText(admin, 'was sent again')).toBeVisible()
    await expect.poll(receipts).toBe(2)
    await rows.first().getByRole('link', { name: orderNumber }).click()
    await expect(admin.getByRole('region', { name: 'Emails' }).getByRole('listitem')).toHaveCount(2)
  })
  await context.close()
})
