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

/** Orders and pays two of Package B for Ada. Returns the ids of the job and of the order. */
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

const openDatesAndChanges = (page: Page) => page.getByRole('button', { name: 'Dates and changes' }).click()

const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()

/** The order's first package as the server will print it. */
const lineAtServer = async (page: Page, jobId: number, number: string): Promise<CartPackage> => {
  const path = getOrderImageChoice.path.replace(':jobId', String(jobId)).replace(':orderId', number)
  const { data } = (await (await page.request.get(path)).json()) as { data: { lines: { line: CartPackage }[] } }
  const [first] = data.lines
  if (!first) throw new Error('the order has a package')
  return first.line
}

test('A customer changes a paid order offline and online, and is refunded for a removed copy', async ({
  page,
  context,
}) => {
  const { jobId, number } = await orderTwo(page)
  const orderPath = new URL(page.url()).pathname
  const initialOrder = await fetchOrder(page, jobId, number)
  await waitForServiceWorker(page)

  await test.step('The order leads to its changes', async () => {
    await openDatesAndChanges(page)
    await expect(page.getByRole('heading', { name: 'Need to change something?' })).toBeVisible()
    await checkScreen(page, '90-order-to-change')
    await page.getByRole('link', { name: 'Change texts and photos' }).click()
    await expectHeading(page, 'Change texts and photos')
    await expectImagesLoaded(page)
    await checkScreen(page, '91-change-order')
  })

  const print = page.getByRole('region', { name: '8×10 Print', exact: true })
  const name = print.getByRole('textbox', { name: /^Name/ })
  await test.step('A text and a crop are stored on the phone while offline', async () => {
    await name.fill('Ada L.')
    await cropAndRotate(page, print)
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await expect(page.getByText('What you changed is saved on this phone.').first()).toBeVisible()
    await page.reload()
    await expectHeading(page, 'Change texts and photos')
    await expect(name).toHaveValue('Ada L.')
    await context.setOffline(false)
  })

  await test.step('Online the changes are saved, and the print will have them', async () => {
    await page.getByRole('button', { name: 'Save the changes' }).click()
    await expect(page).toHaveURL(orderPath)
    await expect(page.getByText('Ada L.')).toBeVisible()
    const items = (await lineAtServer(page, jobId, number)).cartPackageItems
    expect(items.flatMap((item) => item.textNodes.map((node) => node.value))).toContain('Ada L.')
    expect(items.flatMap((item) => item.imageNodes.map((node) => node.rotation))).toContain(90)
  })

  await test.step('The refund of a removed copy is shown first, and then made', async () => {
    await openDatesAndChanges(page)
    await page.getByRole('button', { name: 'Remove items' }).click()
    await page.getByRole('button', { name: /^One fewer Package B/ }).click()
    const refundNotice = page.getByText(/^We’ll refund \$\d+\.\d\d to your card ending 4242$/)
    await expect(refundNotice).toBeVisible()
    await checkScreen(page, '92-one-fewer')
    const dollars = /\$(\d+)\.(\d\d)/.exec(await refundNotice.innerText())
    const refundCents = Number(`${dollars?.[1]}${dollars?.[2]}`)
    expect((await fetchOrder(page, jobId, number)).totals).toEqual(initialOrder.totals)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Refunds' })).toBeVisible()
    const reducedOrder = await fetchOrder(page, jobId, number)
    expect(reducedOrder.lines.map(({ quantity }) => quantity)).toEqual([1])
    expect(initialOrder.totals.totalCents - reducedOrder.totals.totalCents).toBe(refundCents)
    expect(reducedOrder.refunds?.map(({ amountCents }) => amountCents)).toEqual([refundCents])
    expect(reducedOrder.refundableCents).toBe(reducedOrder.totals.totalCents)
    await checkScreen(page, '93-made-smaller')
  })

  await test.step('A card that needs the bank’s confirmation pays for a second copy, once', async () => {
    const smallerOrder = await fetchOrder(page, jobId, number)
    await page.getByRole('link', { name: 'Add to order' }).click()
    await expectHeading(page, 'Add to your order')
    await page.getByRole('button', { name: /^One more Package B/ }).click()
    await expect(page.getByText(/^\$\d+\.\d\d more$/)).toBeVisible()
    await fillCardForm(page, testCards.requiresAuthentication)
    await checkScreen(page, '94-add-more')
    await page.getByRole('button', { name: /^Pay \$/ }).click()
    await page.getByRole('dialog', { name: 'Test bank' }).getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(orderPath)
    const largerOrder = await fetchOrder(page, jobId, number)
    expect(largerOrder.lines.map(({ quantity }) => quantity)).toEqual([2])
    expect(largerOrder.totals).toEqual(initialOrder.totals)
    expect((largerOrder.refundableCents ?? 0) - (smallerOrder.refundableCents ?? 0)).toBe(
      largerOrder.totals.totalCents - smallerOrder.totals.totalCents,
    )
    await page.getByRole('button', { name: 'Remove items' }).click()
    await page.getByRole('button', { name: /^One fewer Package B/ }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(async () => (await fetchOrder(page, jobId, number)).totals).toEqual(smallerOrder.totals)
  })

  await test.step('With one copy left, the order can only be cancelled, and the remaining amount is refunded', async () => {
    await expect(page.getByRole('button', { name: 'Remove items' })).toBeHidden()
    const { totals } = await fetchOrder(page, jobId, number)
    // By the keyboard, because a toast may still cover the end of the page.
    await page.getByRole('button', { name: 'Cancel this order' }).press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText(`We’ll refund $${(totals.totalCents / 100).toFixed(2)} to the card ending 4242`)
    await dialog.getByRole('button', { name: 'Cancel the order' }).click()
    await expect(page.getByText('This order was cancelled')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Change texts and photos' })).toBeHidden()
    const { refunds = [] } = await fetchOrder(page, jobId, number)
    const refundedCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)
    // Both payments were refunded: the first, and the one for the second copy.
    const secondCopyCents = initialOrder.totals.totalCents - totals.totalCents
    expect(refundedCents).toBe(initialOrder.totals.totalCents + secondCopyCents)
  })
})
