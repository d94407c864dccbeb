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
const connectStripe = async (dataDir: string): Promise<void> => {
  const ignore = () => undefined
  const { db, close } = await openDatabase({ dataDir, log: { info: ignore, warn: ignore, error: ignore } })
  await db
    .updateTable('studios')
    .set({ payment_account_id: accountId, platform_fee_basis_points: 500 })
    .where('slug', '=', 'riverside')
    .execute()
  await close()
}

type StripeFixture = { fakeStripe: Awaited<ReturnType<typeof startFakeStripe>>; script: { isAvailable: boolean } }

const test = base.extend<{ script: { isAvailable: boolean } }, { stripe: StripeFixture }>({
  stripe: [
    async ({}, use) => {
      const fakeStripe = await startFakeStripe()
      fakeStripe.open(accountId)
      await use({ fakeStripe, script: { isAvailable: true } })
      await fakeStripe.close()
    },
    { scope: 'worker' },
  ],
  // No other file uses this worker, so one product is enough.
  productOf: [
    async ({ stripe: { fakeStripe } }, use) => {
      const { dataDir, remove } = await copyDemoData()
      await connectStripe(dataDir)
      const { secretKey, publishableKey, webhookSecret, apiUrl } = fakeStripe.settings
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
  script: [
    async ({ context, stripe: { fakeStripe, script } }, use) => {
      script.isAvailable = true
      await installFakeStripeJs(context, fakeStripe, () => script.isAvailable)
      await use(script)
    },
    { auto: true },
  ],
})

const cardNumberField = (page: Page) => page.getByRole('textbox', { name: 'Card number (Stripe)' })

/** Waits for the total, whose amount a wallet needs before it makes a token. */
const waitForTotal = (page: Page) =>
  expect(page.getByRole('region', { name: 'Next step' }).getByText('Total', { exact: true })).toBeVisible()

const openReview = async (page: Page, card: string): Promise<void> => {
  await cardNumberField(page).fill(card)
  await waitForTotal(page)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
}

const tapPay = async (page: Page): Promise<number> => {
  const payButton = page.getByRole('button', { name: /^Pay \$/ })
  await expect(payButton).toBeEnabled()
  const label = await payButton.innerText()
  await payButton.click()
  return Math.round(Number(label.replace(/[^\d.]/g, '')) * 100)
}

const chargesOf = ({ fakeStripe }: StripeFixture) =>
  (fakeStripe.accounts.get(accountId)?.intents ?? []).flatMap(({ charge }) =>
    charge ? [{ cents: charge.amount, fee: charge.fee?.amount }] : [],
  )

test('A declined card and then a valid one make exactly one charge on the studio’s account', async ({
  page,
  stripe,
}) => {
  const chargeCount = chargesOf(stripe).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await test.step('An incomplete card number is reported', async () => {
    await waitForTotal(page)
    await page.getByRole('button', { name: 'Review order' }).click()
    await expect(page.getByText('Your card number is incomplete.')).toBeVisible()
    await checkScreen(page, '98-stripe-card')
  })
  await openReview(page, testCards.declined)
  await tapPay(page)
  await expect(page.getByText('Your card was declined. Please try another card')).toBeVisible()
  await page.getByRole('button', { name: 'Pay with another card' }).click()
  await expect(cardNumberField(page)).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await openReview(page, testCards.good)
  await expect(page.getByText('Card ending 4242')).toBeVisible()
  const cents = await tapPay(page)
  await readOrderNumber(page)
  expect(chargesOf(stripe).slice(chargeCount)).toEqual([{ cents, fee: Math.round(cents / 20) }])
})

test('A wallet prices the order at its owner’s address, and the amount approved there is what is charged', async ({
  page,
  stripe,
}) => {
  const chargeCount = chargesOf(stripe).length
  await addAndSyncPackage(page, /Package B/)
  await page.getByRole('button', { name: 'Checkout' }).click()
  const walletButton = page.getByRole('button', { name: 'Google Pay (Stripe)' })
  await expect(walletButton).toBeVisible()
  await expect(page.getByRole('region', { name: 'Next step' }).getByText(/^Total/)).toBeVisible()
  await checkScreen(page, '99-stripe-wallet')
  await test.step('A wallet that is closed leaves the form as it was', async () => {
    const cityField = page.getByRole('textbox', { name: 'City', exact: true })
    await cityField.fill('Springfield')
    await expect(page.getByRole('region', { name: 'Next step' }).getByText(/^Total/)).toBeVisible()
    await walletButton.click()
    await expect(cityField).toHaveValue('Dayton')
    await page.getByRole('button', { name: 'Close the wallet' }).click()
    await expect(cityField).toHaveValue('Springfield')
  })
  await expect(page.getByRole('region', { name: 'Next step' }).getByText(/^Total/)).toBeVisible()
  await walletButton.click()
  const approveButton = page.getByRole('button', { name: /^Approve \$/ })
  const approved = Math.round(Number((await approveButton.innerText()).replace(/[^\d.]/g, '')) * 100)
  await approveButton.click()
  await expect(page.getByRole('heading', { name: 'Review your order' })).toBeVisible()
  await expect(page.getByText('Card ending 4242')).toBeVisible()
  await expect(page.getByText('1 Wallet Way')).toBeVisible()
  expect(await tapPay(page)).toBe(approved)
  await readOrderNumber(page)
  expect(chargesOf(stripe).slice(chargeCount)).toMatchObject([{ cents: approved }])
})

test('A failed bank authentication charges nothing, and one interrupted by a reload can be completed', async ({
  page,
  stripe,
}) => {
  const chargeCount = chargesOf(stripe).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await openReview(page, testCards.requiresAuthentication)
  await tapPay(page)
  const bankQuestion = page.getByText('Your bank: is this payment yours?')
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByText('The payment was not confirmed with your bank. You weren’t charged')).toBeVisible()
  await page.getByRole('button', { name: 'Pay with another card' }).click()
  await openReview(page, testCards.requiresAuthentication)
  const cents = await tapPay(page)
  await expect(bankQuestion).toBeVisible()
  await page.reload()
  await expect(bankQuestion).toBeVisible()
  await page.getByRole('button', { name: 'Complete' }).click()
  await readOrderNumber(page)
  expect(
    chargesOf(stripe)
      .slice(chargeCount)
      .map((charge) => charge.cents),
  ).toEqual([cents])
})

test('A card that is declined after the bank’s approval is reported, and another card pays', async ({
  page,
  stripe,
}) => {
  const chargeCount = chargesOf(stripe).length
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await openReview(page, '4000 0084 0000 1629')
  await tapPay(page)
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Your card was declined. Please try another card')).toBeVisible()
  await page.getByRole('button', { name: 'Pay with another card' }).click()
  await openReview(page, testCards.good)
  const cents = await tapPay(page)
  await readOrderNumber(page)
  expect(
    chargesOf(stripe)
      .slice(chargeCount)
      .map((charge) => charge.cents),
  ).toEqual([cents])
})

test('If Stripe’s script does not load, this is reported and retried, and no input is lost', async ({
  page,
  script,
}) => {
  script.isAvailable = false
  await addAndSyncPackage(page, /Package B/)
  await fillCheckoutForm(page)
  await expect(page.getByText('The card form could not be loaded')).toBeVisible()
  await waitForTotal(page)
  await page.getByRole('button', { name: 'Review order' }).click()
  await expect(page.getByText('The card form hasn’t loaded yet.')).toBeVisible()
  script.isAvailable = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('textbox', { name: 'Street address', exact: true })).toHaveValue('12 Engine Lane')
  await openReview(page, testCards.good)
  await tapPay(page)
  await readOrderNumber(page)
})

test('An owner disconnects the studio’s account, cancels on Stripe’s page, and connects it again', async ({
  page,
  product,
  stripe: { fakeStripe },
}) => {
  // Without a configured public URL, Stripe redirects to localhost.
  const siteUrl = product.url.replace('127.0.0.1', 'localhost')
  await page.goto(`${siteUrl}/login?ret=%2Fadmin%2Fstudios%2F1%2Fsettings`)
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@riverside.test')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  const connectButton = page.getByRole('button', { name: 'Connect Stripe' })

  fakeStripe.behaviour.connects = () => null
  await connectButton.click()
  await expect(page.getByText('Nothing was connected. You can try again whenever you like')).toBeVisible()

  await test.step('A return URL with another studio’s code connects nothing', async () => {
    fakeStripe.codes.set('ac_theirs', 'acct_theirs')
    await page.goto(`${siteUrl}/api/payment-return?code=ac_theirs&state=1.made-up`)
    await expect(page.getByText('Stripe’s answer was for another window')).toBeVisible()
    expect(fakeStripe.codes.has('ac_theirs')).toBe(true)
  })

  fakeStripe.behaviour.connects = () => accountId
  await connectButton.click()
  // Both the page and the toast show this text.
  await expect(page.getByText('Your Stripe account is connected').first()).toBeVisible()
  await expect(page.getByText(accountId)).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})
