import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright/test'
import { fakeCameraStream } from '#support/browser/fake-camera-stream.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { orderEntryApi } from '#support/journeys/order-entry-api.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const tablet = { width: 1024, height: 768 }
const desk = { width: 1280, height: 800 }
test.use({
  viewport: tablet,
  hasTouch: true,
  isMobile: false,
  permissions: ['camera'],
  contextOptions: { reducedMotion: 'reduce' },
})

const job = '/admin/studios/1/jobs/1'
const row = (page: Page, number: string) => page.getByRole('row', { name: new RegExp(number) })
const selectOrder = (page: Page, number: string) => page.getByRole('checkbox', { name: `Select ${number}` }).check()
const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
const tapConfirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name }).tap()
const orderViews = (page: Page) => page.getByRole('navigation', { name: 'Orders' })

test('Staff find and refund orders, submit them to the lab, and print cards for the shoot', async ({
  page,
  request,
}) => {
  const orderEntry = await orderEntryApi(request, 1)
  await orderEntry.shipInBatches()
  const individualOrder = await orderEntry.order('standard')
  const batchOrder = await orderEntry.order(null)
  const otherBatchOrder = await orderEntry.order(null)
  await signIn(page, { email: 'owner@riverside.test', at: `${job}/orders` })
  await expectHeading(page, 'Orders')

  await test.step('An order is found by number and partly refunded', async () => {
    await expect(row(page, individualOrder)).toContainText('Ada Lovelace')
    await expect(orderViews(page).getByRole('link', { name: /Gallery/ })).toContainText('3')
    await page.getByRole('searchbox', { name: 'Find in orders' }).fill(individualOrder.slice(3).toLowerCase())
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('link', { name: individualOrder }).tap()
    await expectHeading(page, individualOrder)
    await expect(page.getByRole('img', { name: /as it prints/ })).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('menuitem', { name: 'Refund' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('9999')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A bent print')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).tap()
    await expect(dialog.getByText(/Enter an amount up to \$/)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('2.50')
    await dialog.getByRole('button', { name: 'Refund $2.50', exact: true }).tap()
    await expect(page.getByRole('region', { name: 'Money' })).toContainText('Refunded $2.50')
    await checkStaffScreen(page, '221-order')
  })

  await test.step('Submitting two orders sends one and explains the other, and can be undone', async () => {
    await page.setViewportSize(desk)
    await page.goto(`${job}/orders`)
    await page.getByRole('link', { name: individualOrder }).click()
    await expect(page.getByRole('complementary', { name: 'Open order' })).toContainText('Standard Shipping')
    await expect(page).toHaveURL(new RegExp(`open=${individualOrder}`))
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.setViewportSize(tablet)
    await selectOrder(page, individualOrder)
    await selectOrder(page, batchOrder)
    await page.getByRole('button', { name: 'Submit to the lab' }).tap()
    await tapConfirm(page, 'Submit')
    await expect(page.getByText('1 order went to the lab.')).toBeVisible()
    await expect(page.getByText(`${batchOrder}: This order waits in a batch`)).toBeVisible()
    await expect(row(page, individualOrder)).toContainText('With the lab')
    await checkStaffScreen(page, '222-orders')
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(row(page, individualOrder)).toContainText('Placed')
  })

  await test.step('Orders that ship individually are listed', async () => {
    await orderViews(page)
      .getByRole('link', { name: /Individual/ })
      .tap()
    await expectHeading(page, 'Individual orders')
    await expect(row(page, individualOrder)).toBeVisible()
    await checkStaffScreen(page, '228-individual')
  })

  await test.step('A batch is closed and submitted', async () => {
    await orderViews(page).getByRole('link', { name: /Batch/ }).tap()
    await expectHeading(page, 'Batches')
    await expect(page.getByRole('link', { name: 'Batch 1' })).toBeVisible()
    await checkStaffScreen(page, '223-batches')
    await page.getByRole('link', { name: 'Batch 1' }).tap()
    await expect(row(page, otherBatchOrder)).toBeVisible()
    await page.getByRole('button', { name: 'Close the batch' }).tap()
    await checkStaffScreen(page, '224-batch')
    await page.getByRole('region', { name: 'This batch' }).getByRole('button', { name: 'Submit to the lab' }).tap()
    await tapConfirm(page, 'Submit')
    await page.getByRole('link', { name: 'Its packet' }).tap()
  })

  await test.step('The packet’s files are made and downloaded', async () => {
    await expectHeading(page, 'Submitted orders')
    const packet = page.getByRole('region', { name: 'Packets' }).getByRole('listitem').filter({ hasText: 'Batch 1' })
    await expect(packet).toContainText('ready for the lab', { timeout: 15_000 })
    await checkStaffScreen(page, '225-submitted')
    await packet.getByRole('button', { name: 'Files' }).tap()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /All print files/ }).tap(),
    ])
    const zip = (await readFile(await file.path())).toString('latin1')
    expect(file.suggestedFilename()).toMatch(/^packet-\d+\.zip$/)
    for (const name of ['manifest.csv', 'manifest.json', `${otherBatchOrder}/1-1-`]) expect(zip).toContain(name)
    await page.keyboard.press('Escape')
    await selectOrder(page, otherBatchOrder)
    await page.getByRole('button', { name: 'In production' }).tap()
    await expect(row(page, otherBatchOrder)).toContainText('In production')
    await expect(packet.getByRole('button', { name: 'Recall' })).toBeHidden()
  })

  await test.step('A camera card is printed, and scanned on the shoot day', async () => {
    await page.goto(`${job}/orders/camera-cards?paper=a4`)
    const card = page.getByRole('article', { name: 'Card of Ada Lovelace' })
    await expect(card.getByRole('img')).toBeVisible()
    await checkStaffScreen(page, '226-camera-cards')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    const cardImage = await card.screenshot()
    await page.emulateMedia({ media: null })
    const sheets = await page.getByRole('region', { name: 'Sheet of cards' }).count()
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(sheets)
    // The size of A4 in points.
    expect(pdf).toMatch(/MediaBox \[0 0 59[45]\.?\d* 84[12]\.?\d*\]/)
    const shootPage = await page.context().newPage()
    await fakeCameraStream(shootPage, cardImage)
    await shootPage.goto(`${job}/shoot`)
    await shootPage.getByRole('button', { name: 'Scan' }).tap()
    await expect(shootPage.getByRole('region', { name: 'Current subject' })).toContainText('Ada Lovelace')
    await shootPage.close()
  })

  await test.step('The roster shows which subjects have orders', async () => {
    await page.goto(`${job}/orders/print`)
    await expect(row(page, 'Lovelace, Ada')).toContainText('Yes')
    await checkStaffScreen(page, '227-roster')
  })

  await test.step('A subject’s page links to the orders', async () => {
    await page.goto(`${job}/subjects?filter=lovelace+ada`)
    await page.getByRole('link', { name: /Ada/ }).first().tap()
    await page.getByRole('link', { name: otherBatchOrder }).tap()
    await expectHeading(page, otherBatchOrder)
  })
})
