import type { Page } from 'playwright/test'
import { openDatabase } from '#server/database/open-database.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { addAndSyncPackage, fillCheckoutForm, readOrderNumber, testCards } from '#support/journeys/customer-steps.ts'
import { test as base, expect } from '#support/journeys/journey-test.ts'
import { copyDemoData } from '#support/product/demo-data.ts'
import { startProduct } from '#support/product/start-product.ts'
import { startFakeStripe } from '#support/stripe/fake-stripe.ts'
import { installFakeStripeJs } from '#support/stripe/fake-stripe-js.ts'

const accountId = 'acct_riverside'

/** Connects the demo's studio to Stripe. */
const connect = async (dataDir: string): Promise<void> => {
  const nothing = () => undefined
  const { db, close } = await openDatabase({ dataDir, log: { info: nothing, warn: nothing, error: nothing } })
  await db
    .updateTable('studios')
    .set({ stripe_account_id: accountId, commission_basis_points: 500 })
    .where('slug', '=', 'riverside')
    .execute()
  await close()
}

type Shop = { peer: Awaited<ReturnType<typeof startFakeStripe>>; scripts: { there: boolean } }

const test = base.extend<{ scripts: { there: boolean } }, { shop: Shop }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
    async ({}, use) => {
      const peer = await startFakeStripe()
      peer.open(accountId)
      await use({ peer, scripts: { there: true } })
      await peer.close()
    },
    { scope: 'worker' },
  ],
  // No other file uses this worker, so one product is enough.
  productOf: [
    async ({ shop: { peer } }, use) => {
      const { dataDir, remove } = await copyDemoData()
      await connect(dataDir)
      const { secretKey, publishableKey, webhookSecret, apiUrl } = peer.settings
      const env = {
        PAYMENT: 'stripe',
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_PUBLISHABLE_KEY: publishableKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_URL: apiUrl,
        STRIPE_CLIENT_ID: 'ca_fieldproof',
      }
      const product = await startProduct({ dataDir, env })
      await use(async () => product)
      await product.stop()
      await remove()
      expect(product.errors()).toEqual([])
    },
    { scope: 'worker' },
  ],
  scripts: [
    async ({ context, shop: { peer, scripts } }, use) => {
      scripts.there = true
      await installFakeStripeJs(context, peer, () => scripts.there)
      await use(scripts)
    },
    { auto: true },
  ],
})

const number = (page: Page) => page.getByRole('textbox', { name: 'Card number (Stripe)' })

/** Waits for the total: a wallet needs its amount before it makes a token. */
const untilTotal = (page: Page) =>
  expect(page.getByRole('region', { name: 'Next step' }).getByText('Total', { exact: true })).toBeVisible()

const toReview = async (page: Page, card: string): Promise<void> => {
  await number(page).fill(card)
  await untilTotal(page)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
}

const tapPay = async (page: Page): Promise<number> => {
  const button = page.getByRole('button', { name: /^Pay \$/ })
  await expect(button).toBeEnabled()
  const words = await button.innerText()
  await button.click()
  return Math.round(Number(words.replace(/[^\d.]/g, '')) * 100)
}

const chargesOf = ({ peer }: Shop) =>
  (peer.accounts.get(accountId)?.intents ?? []).flatMap(({ charge }) =>
    charge ? [{ cents: charge.amount, fee: charge.fee?.amount }] : [],
  )

test('A card that is declined, then another: one charge on the studio’s account, to the cent', async ({
  page,
  shop,
}) => {
  const before = chargesOf(shop).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await test.step('an unfinished card goes nowhere, and says so', async () => {
    await untilTotal(page)
    await page.getByRole('button', { name: 'Review order' }).click()
    await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
    await checkScreen(page, '98-stripe-card')
  })
  await toReview(page, testCards.declined)
  await tapPay(page)
  await expect(page.getByText('Your card was declined. Please try another card')).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await expect(number(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await toReview(page, testCards.good)
  await expect(page.getByText('Card ending 4242')).toBeVisible()
  const cents = await tapPay(page)
  await readOrderNumber(page)
  expect(chargesOf(shop).slice(before)).toEqual([{ cents, fee: Math.round(cents / 20) }])
})

test('The customer’s bank asks: refused, and asked again after a reload, then agreed to', async ({ page, shop }) => {
  const before = chargesOf(shop).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await toReview(page, testCards.asksFirst)
  await tapPay(page)
  const bank = page.getByText('Your bank: is this payment yours?')
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByText('The payment was not confirmed with your bank. Nothing was charged')).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await toReview(page, testCards.asksFirst)
  const cents = await tapPay(page)
  await expect(bank).toBeVisible()
  await page.reload()
  await expect(bank).toBeVisible()
  await page.getByRole('button', { name: 'Complete' }).click()
  await readOrderNumber(page)
  expect(
    chargesOf(shop)
      .slice(before)
      .map((charge) => charge.cents),
  ).toEqual([cents])
})

test('A bank that agrees to a card that is then declined: said so, and another card pays', async ({ page, shop }) => {
  const before = chargesOf(shop).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await toReview(page, '4000 0084 0000 1629')
  await tapPay(page)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Your card was declined. Please try another card')).toBeVisible()
  await page.getByRole('button', { name: 'Use another card' }).click()
  await toReview(page, testCards.good)
  const cents = await tapPay(page)
  await readOrderNumber(page)
  expect(
    chargesOf(shop)
      .slice(before)
      .map((charge) => charge.cents),
  ).toEqual([cents])
})

test('Stripe’s script can’t be had: said, tried again, and nothing typed is lost', async ({ page, scripts }) => {
  scripts.there = false
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await expect(page.getByText('The card form could not be loaded')).toBeVisible()
  await untilTotal(page)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByText('The card form is not here yet.')).toBeVisible()
  scripts.there = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await toReview(page, testCards.good)
  await tapPay(page)
  await readOrderNumber(page)
})

test('An owner disconnects the studio’s account, changes their mind on Stripe’s page, and connects it again', async ({
  page,
  product,
  shop: { peer },
}) => {
  // Without a configured URL, Stripe redirects to this one.
  const here = product.url.replace('127.0.0.1', 'localhost')
  await page.goto(`${here}/login?ret=%2Fadmin%2Fstudios%2F1%2Fsettings`)
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@riverside.test')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  const connectAgain = page.getByRole('button', { name: 'Connect Stripe' })

  peer.ways.connects = () => null
  await connectAgain.click()
  await expect(page.getByText('Nothing was connected. You can try again whenever you like')).toBeVisible()

  await test.step('a link with somebody else’s code connects nothing', async () => {
    peer.codes.set('ac_theirs', 'acct_theirs')
    await page.goto(`${here}/api/stripe-return?code=ac_theirs&state=1.made-up`)
    await expect(page.getByText('Stripe’s answer did not belong to this window')).toBeVisible()
    expect(peer.codes.has('ac_theirs')).toBe(true)
  })

  peer.ways.connects = () => accountId
  await connectAgain.click()
  // Both the page and the toast say it.
  await expect(page.getByText('Your Stripe account is connected').first()).toBeVisible()
  await expect(page.getByText(accountId)).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})
