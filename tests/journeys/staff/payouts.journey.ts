import { subHours } from 'date-fns/subHours'
import { openDatabase } from '#server/database/open-database.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { silentLog } from '#support/database/test-database.ts'
import { test as base, expect } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { copyDemoData } from '#support/product/demo-data.ts'
import { startProduct } from '#support/product/start-product.ts'

const orderNumber = 'FP-PAY10001'
/** The $788.97 of the demo, whose card payments are all paid out, and the $50.00 of this order. */
const earnedInAll = '$838.97'

/** Adds a payout of one order with its fee, and a payment that only the provider knows. */
const addPayout = async (dataDir: string): Promise<void> => {
  const { db, close } = await openDatabase({ dataDir, log: silentLog })
  const at = subHours(new Date(), 30)
  const job = await db
    .selectFrom('jobs')
    .select(['studio_id', 'id as job_id'])
    .where('studio_id', '=', 1)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { studio_id } = job
  const { id: order_id } = await db
    .insertInto('orders')
    .values({
      ...{ ...job, order_number: orderNumber, order_method: 'gallery', first_name: 'Grace', last_name: 'Hopper' },
      ...{ email: 'grace@example.com', email_key: 'grace@example.com', pay_method: 'card', packages_cents: 5000 },
      ...{ total_cents: 5000, totals: '{}', placed_at: at, moved_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const account = { studio_id, provider: 'test', account: 'studio-1' }
  const charge = { ...account, kind: 'charge' as const, created_at: at }
  await db
    .insertInto('ledger')
    .values({
      ...{ ...charge, order_id, state: 'done', amount_cents: 5000, provider_reference: 'test_charge' },
      settled_at: at,
    })
    .execute()
  const { id: payout_id } = await db
    .insertInto('payouts')
    .values({
      ...{ ...account, reference: 'test_payout', state: 'paid', amount_cents: 4825, created_at: new Date() },
      ...{ arrives_on: new Date().toISOString().slice(0, 10), has_entries: true, is_itemized: true },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entry = { ...charge, reference: 'test_txn', source: 'test_charge', payout_id }
  const unknown = { ...charge, reference: 'test_txn_2', source: 'test_unknown', payout_id: null }
  await db
    .insertInto('account_entries')
    .values([
      { ...entry, amount_cents: 5000 },
      { ...entry, kind: 'fee', amount_cents: -175 },
      { ...unknown, amount_cents: 1200 },
      { ...unknown, kind: 'payout', reference: 'test_txn_3', source: 'test_payout', amount_cents: -4825 },
    ])
    .execute()
  await db
    .insertInto('payment_differences')
    .values({
      ...{ ...account, reference: 'test_unknown', reason: 'unknownCharge', our_cents: 0, provider_cents: 1200 },
      found_at: new Date(),
    })
    .execute()
  await close()
}

const test = base.extend({
  // No other file uses this worker, so one product is enough.
  productOf: [
    async ({}, use) => {
      const { dataDir, remove } = await copyDemoData()
      await addPayout(dataDir)
      const product = await startProduct({ dataDir })
      await use(async () => product)
      await product.stop()
      await remove()
      expect(product.errors()).toEqual([])
    },
    { scope: 'worker' },
  ],
})

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

test('An owner sees what was earned, the payouts, what each pays out, and what differs', async ({ page }) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1' })
  await expect(page.getByRole('region', { name: 'Earned' })).toContainText(`Earned, all time${earnedInAll}`)

  await test.step('The payouts and the balance are shown', async () => {
    await page.goto('/admin/studios/1/reports/payouts')
    const balance = page.getByRole('table', { name: 'Balance' })
    await expect(balance.getByRole('row', { name: 'Balance, not paid out yet' })).toContainText('$12.00')
    await expect(page.getByText('1 payment differs from the payment provider')).toBeVisible()
    await checkStaffScreen(page, '250-payouts')
  })

  await test.step('A payout shows its orders and sums that add up', async () => {
    await page.getByRole('region', { name: 'Payouts' }).getByRole('link').first().tap()
    await expect(page.getByRole('table', { name: 'Sums' }).getByRole('row')).toHaveText([
      'Card payments$50.00',
      'Fees-$1.75',
      'Paid out$48.25',
    ])
    await expect(page.getByRole('link', { name: orderNumber })).toBeVisible()
    await checkStaffScreen(page, '251-payout')
  })

  await test.step('The differences name their reason', async () => {
    await page.goto('/admin/studios/1/reports/payouts/differences')
    await expect(page.getByRole('row', { name: /test_unknown/ })).toContainText(
      'Paid at the provider, without an order here',
    )
    await checkStaffScreen(page, '252-payment-differences')
  })
})

test('Staff who may not see money find neither the earned totals nor the payouts', async ({ page }) => {
  await signIn(page, { email: 'staff@riverside.test', at: '/admin/studios/1' })
  await expect(page.getByRole('region', { name: 'Jobs by state' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Earned' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Payouts' })).toHaveCount(0)
})
