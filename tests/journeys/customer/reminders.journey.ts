import { unsubscribeToken } from '#server/reminders/unsubscribe.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { addAndSyncPackage } from '#support/journeys/customer-steps.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { testWithMail } from '#support/journeys/test-with-mail.ts'

const secret = 'a secret for links, of more than 32 letters'
const test = testWithMail({ SECRET: secret })

test('A parent asks for reminders of a cart, stops them, and unsubscribes by the link in an email', async ({
  page,
}) => {
  await addAndSyncPackage(page, /Package B/)
  const dialog = page.getByRole('dialog', { name: 'Email reminders' })
  await test.step('Offline, the form keeps what was typed', async () => {
    await page.getByRole('button', { name: 'Email me a reminder' }).click()
    await dialog.getByRole('textbox', { name: 'Email' }).fill('anne@example.com')
    await page.context().setOffline(true)
    await expect(dialog.getByText('You’re offline: this needs a connection. What you typed is saved.')).toBeVisible()
    await checkScreen(page, '108-reminder-form')
    await page.context().setOffline(false)
    await expect(dialog.getByText('You’re offline')).toBeHidden()
  })
  await test.step('The cart says where reminders go', async () => {
    await dialog.getByRole('button', { name: 'Remind me' }).click()
    await expect(dialog.getByText('Reminders go to anne@example.com')).toBeVisible()
    await checkScreen(page, '108-reminders-on')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Email reminders are on' }).click()
    await dialog.getByRole('button', { name: 'Stop reminders' }).click()
    await expect(dialog.getByRole('button', { name: 'Remind me' })).toBeVisible()
  })
  await test.step('The link in an email needs no tap', async () => {
    const token = unsubscribeToken({ settings: { secret } as never }, 1, 'anne@example.com') // it uses only the secret
    await page.goto(`/riverside/unsubscribe/${token}`)
    await expect(page.getByRole('heading', { name: 'Reminders stopped' })).toBeVisible()
    await expect(page.getByText('Riverside Portraits won’t send reminders')).toBeVisible()
    await checkScreen(page, '109-unsubscribed')
  })
})
