import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'
import { changeProductData } from '#support/product/product-database.ts'

const failedEmail = {
  kind: 'receipt',
  to_name: 'Ada',
  to_email: 'ada@home.test',
  subject: 'Your order',
  body_text: 'Thanks',
}

/** Three emails and an image of the demo’s studio that failed. */
const addFailures = (dataDir: string): Promise<void> =>
  changeProductData(dataDir, async (db) => {
    const { id: studio_id } = await db
      .selectFrom('studios')
      .select('id')
      .where('slug', '=', 'riverside')
      .executeTakeFirstOrThrow()
    const error = '550 no mailbox <ada@home.test> here'
    for (const n of [1, 2, 3])
      await db
        .insertInto('mail_log')
        .values({ ...failedEmail, studio_id, state: 'failed', error, attempts: n })
        .execute()
    const image = db.selectFrom('image_lookups').select('id').where('studio_id', '=', studio_id).orderBy('id').limit(1)
    await db
      .updateTable('image_lookups')
      .set({ state: 'refused', refusal: 'This file is not an image' })
      .where('id', '=', image)
      .execute()
  })

test('An administrator retries what failed, and ignores the rest with a reason', async ({ page, site }) => {
  await test.step('The home leads to what failed, by cause', async () => {
    await site.stop()
    await addFailures(site.dataDir)
    await site.start()
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin' })
    await page
      .getByRole('link', { name: /Order errors/ })
      .first()
      .click()
    await expect(page.getByRole('row').filter({ hasText: '550 no mailbox <•••> here' })).toContainText('3')
    await checkStaffScreen(page, '290-order-errors')
  })

  await test.step('An image is retried, and leaves the list', async () => {
    await page.getByRole('button', { name: 'This file is not an image' }).click()
    await page.getByRole('checkbox', { name: /This file is not an image/ }).check()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(toastWithText(page, '1 error retried')).toBeVisible()
    await expect(page.getByText('No matches')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
  })

  await test.step('All emails of one cause are ignored with a reason', async () => {
    await page.getByRole('button', { name: '550 no mailbox' }).click()
    await page.getByRole('checkbox', { name: /Select all/ }).check()
    await page.getByRole('button', { name: 'Ignore' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The parent has a new address')
    await checkStaffScreen(page, '291-ignore-errors')
    await dialog.getByRole('button', { name: 'Ignore' }).click()
    await expect(toastWithText(page, '3 errors ignored')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(page.getByText('Nothing failed')).toBeVisible()
  })

  await test.step('They stay under “Resolved”, with the reason and who gave it', async () => {
    await page.getByLabel('State').selectOption({ label: 'Resolved' })
    await expect(page.getByRole('row').filter({ hasText: 'The parent has a new address, Robin Hale' })).toHaveCount(3)
    await checkStaffScreen(page, '292-resolved-errors')
  })
})
