import type { Page } from 'playwright/test'
import { getOrderImageChoice } from '#contract/customer/order-image-choice.ts'
import type { CartPackage } from '#domain/cart/cart.ts'
import { checkScreen } from '#support/browser/screen-checks.ts'
import {
  addToCart,
  cartStatus,
  choosePackage,
  cropAndRotate,
  expectImagesLoaded,
  fetchOrder,
  fillCardForm,
  fillCheckoutForm,
  idsInUrl,
  openAda,
  pay,
  readOrderNumber,
  savedAtServer,
  testCards,
} from '#support/journeys/customer-steps.ts'
import { expect, test, waitForServiceWorker } from '#support/journeys/journey-test.ts'

/** Orders and pays two of Package B for Ada. Returns the order number. */
const orderTwo = async (page: Page): Promise<{ jobId: number; number: string }> => {
  await openAda(page)
  const { jobId } = idsInUrl(page)
  await choosePackage(page, /Package B/)
  await addToCart(page)
  await page.getByRole('button', { name: 'One more Package B' }).click()
  await expect(page.getByRole('group', { name: 'Quantity of Package B' }).getByRole('status')).toHaveText('2')
  await expect(cartStatus(page)).toHaveText(savedAtServer)
  await fillCheckoutForm(page)
  await fillCardForm(page, testCards.good)
  await pay(page)
  return { jobId, number: await readOrderNumber(page) }
}

const openChanges = (page: Page) => page.getByRole('button', { name: 'Dates and changes' }).click()

const heading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()

/** The order's first package as the server will print it. */
const lineAtServer = async (page: Page, jobId: number, number: string): Promise<CartPackage> => {
  const path = getOrderImageChoice.path.replace(':jobId', String(jobId)).replace(':orderId', number)
  const { data } = (await (await page.request.get(path)).json()) as { data: { lines: { line: CartPackage }[] } }
  const [first] = data.lines
  if (!first) throw new Error('the order has a package')
  return first.line
}

test('A customer changes a paid order offline and online, and gets the difference of a removed copy back', async ({
  page,
  context,
}) => {
  const { jobId, number } = await orderTwo(page)
  const order = new URL(page.url()).pathname
  const before = await fetchOrder(page, jobId, number)
  await waitForServiceWorker(page)

  await test.step('the way there from the order', async () => {
    await openChanges(page)
    await expect(page.getByRole('heading', { name: 'Something not right?' })).toBeVisible()
    await checkScreen(page, '90-order-to-change')
    await page.getByRole('link', { name: 'Change texts and pictures' }).click()
    await heading(page, 'Change texts and pictures')
    await expectImagesLoaded(page)
    await checkScreen(page, '91-change-order')
  })

  const print = page.getByRole('region', { name: '8×10 Print', exact: true })
  const name = print.getByRole('textbox', { name: /^Name/ })
  await test.step('a text and a crop, kept without a network', async () => {
    await name.fill('Ada L.')
    await cropAndRotate(page, print)
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await expect(page.getByText('What you changed is kept on this phone.').first()).toBeVisible()
    await page.reload()
    await heading(page, 'Change texts and pictures')
    await expect(name).toHaveValue('Ada L.')
    await context.setOffline(false)
  })

  await test.step('saved, and what will be printed', async () => {
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await expect(page).toHaveURL(order)
    await expect(page.getByText('Ada L.')).toBeVisible()
    const items = (await lineAtServer(page, jobId, number)).cartPackageItems
    expect(items.flatMap((item) => item.textNodes.map((node) => node.value))).toContain('Ada L.')
    expect(items.flatMap((item) => item.imageNodes.map((node) => node.rotation))).toContain(90)
  })

  await test.step('one fewer: what goes back is shown first, and goes back', async () => {
    await openChanges(page)
    await page.getByRole('button', { name: 'Take something off' }).click()
    const count = page.getByRole('combobox', { name: /^Package B/ })
    await count.selectOption('1')
    const shown = page.getByText(/^\$\d+\.\d\d will go back to your card ending 4242$/)
    await expect(shown).toBeVisible()
    await checkScreen(page, '92-one-fewer')
    const dollars = /^\$(\d+)\.(\d\d)/.exec(await shown.innerText())
    const backCents = Number(`${dollars?.[1]}${dollars?.[2]}`)
    expect((await fetchOrder(page, jobId, number)).totals).toEqual(before.totals)
    await page.getByRole('button', { name: 'Take it off' }).click()
    await expect(page.getByRole('heading', { name: 'Given back' })).toBeVisible()
    const after = await fetchOrder(page, jobId, number)
    expect(after.lines.map(({ quantity }) => quantity)).toEqual([1])
    expect(before.totals.totalCents - after.totals.totalCents).toBe(backCents)
    expect(after.refunds?.map(({ amountCents }) => amountCents)).toEqual([backCents])
    expect(after.refundableCents).toBe(after.totals.totalCents)
    await checkScreen(page, '93-made-smaller')
  })

  await test.step('one more again: a card that asks the bank pays the difference, once', async () => {
    const smaller = await fetchOrder(page, jobId, number)
    await page.getByRole('link', { name: 'Add more' }).click()
    await heading(page, 'More of your order')
    await page.getByRole('combobox', { name: /^Package B/ }).selectOption('2')
    await expect(page.getByText(/^\$\d+\.\d\d more$/)).toBeVisible()
    await fillCardForm(page, testCards.asksFirst)
    await checkScreen(page, '94-add-more')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    await page.getByRole('dialog', { name: 'Test bank' }).getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(order)
    const larger = await fetchOrder(page, jobId, number)
    expect(larger.lines.map(({ quantity }) => quantity)).toEqual([2])
    expect(larger.totals).toEqual(before.totals)
    expect((larger.refundableCents ?? 0) - (smaller.refundableCents ?? 0)).toBe(
      larger.totals.totalCents - smaller.totals.totalCents,
    )
    await page.getByRole('button', { name: 'Take something off' }).click()
    await page.getByRole('combobox', { name: /^Package B/ }).selectOption('1')
    await page.getByRole('button', { name: 'Take it off' }).click()
    await expect.poll(async () => (await fetchOrder(page, jobId, number)).totals).toEqual(smaller.totals)
  })

  await test.step('the last one is not taken off but cancelled, with all that is left', async () => {
    await expect(page.getByRole('button', { name: 'Take something off' })).toBeHidden()
    const { totals } = await fetchOrder(page, jobId, number)
    // By the keyboard, because a toast may still cover the end of the page.
    await page.getByRole('button', { name: 'Cancel this order' }).press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText(`$${(totals.totalCents / 100).toFixed(2)} goes back to the card ending 4242`)
    await dialog.getByRole('button', { name: 'Cancel the order' }).click()
    await expect(page.getByText('This order was cancelled')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Change texts and pictures' })).toBeHidden()
    const { refunds = [] } = await fetchOrder(page, jobId, number)
    const back = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)
    // Both payments were refunded: the first, and the one for the second copy.
    const once = before.totals.totalCents - totals.totalCents
    expect(back).toBe(before.totals.totalCents + once)
  })
})
