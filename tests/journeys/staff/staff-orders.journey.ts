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
const choose = (page: Page, number: string) => page.getByRole('checkbox', { name: `Select ${number}` }).check()
const heading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
const tapConfirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name }).tap()
const views = (page: Page) => page.getByRole('navigation', { name: 'Orders' })

test('Staff find orders, give money back, hand them to the lab, and print cards for the shoot', async ({
  page,
  request,
}) => {
  const counter = await orderEntryApi(request, 1)
  await counter.shipInBatches()
  const home = await counter.order('standard')
  const together = await counter.order(null)
  const another = await counter.order(null)
  await signIn(page, { email: 'owner@riverside.test', at: `${job}/orders` })
  await heading(page, 'Orders')

  await test.step('found by number; part of its money goes back', async () => {
    await expect(row(page, home)).toContainText('Ada Lovelace')
    await expect(views(page).getByRole('link', { name: /Gallery/ })).toContainText('3')
    await page.getByRole('searchbox', { name: 'Find in orders' }).fill(home.slice(3).toLowerCase())
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('link', { name: home }).tap()
    await heading(page, home)
    await expect(page.getByRole('img', { name: /as it prints/ })).toBeVisible()
    await page.getByRole('button', { name: 'What else' }).tap()
    await page.getByRole('menuitem', { name: 'Give money back' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Give money back' })
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('9999')
    await dialog.getByRole('textbox', { name: 'Why' }).fill('A bent print')
    await dialog.getByRole('button', { name: 'Give back' }).tap()
    await expect(dialog.getByText(/Enter an amount up to \$/)).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('2.50')
    await dialog.getByRole('button', { name: 'Give back' }).tap()
    await expect(page.getByRole('region', { name: 'Money' })).toContainText('Given back $2.50')
    await checkStaffScreen(page, '221-order')
  })

  await test.step('several at once: what can go goes, what stays says why; and all of it comes back', async () => {
    await page.setViewportSize(desk)
    await page.goto(`${job}/orders`)
    await page.getByRole('link', { name: home }).click()
    await expect(page.getByRole('complementary', { name: 'Open order' })).toContainText('Standard Shipping')
    await expect(page).toHaveURL(new RegExp(`open=${home}`))
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.setViewportSize(tablet)
    await choose(page, home)
    await choose(page, together)
    await page.getByRole('button', { name: 'Submit to the lab' }).tap()
    await tapConfirm(page, 'Submit')
    await expect(page.getByText('1 order went to the lab.')).toBeVisible()
    await expect(page.getByText(`${together}: This order waits in a batch`)).toBeVisible()
    await expect(row(page, home)).toContainText('With the lab')
    await checkStaffScreen(page, '222-orders')
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect(row(page, home)).toContainText('Placed')
  })

  await test.step('what goes home by itself', async () => {
    await views(page)
      .getByRole('link', { name: /Individual/ })
      .tap()
    await heading(page, 'Individual orders')
    await expect(row(page, home)).toBeVisible()
    await checkStaffScreen(page, '228-individual')
  })

  await test.step('a batch is closed and handed on', async () => {
    await views(page).getByRole('link', { name: /Batch/ }).tap()
    await heading(page, 'Batches')
    await expect(page.getByRole('link', { name: 'Batch 1' })).toBeVisible()
    await checkStaffScreen(page, '223-batches')
    await page.getByRole('link', { name: 'Batch 1' }).tap()
    await expect(row(page, another)).toBeVisible()
    await page.getByRole('button', { name: 'Close the batch' }).tap()
    await checkStaffScreen(page, '224-batch')
    await page.getByRole('region', { name: 'This batch' }).getByRole('button', { name: 'Submit to the lab' }).tap()
    await tapConfirm(page, 'Submit')
    await page.getByRole('link', { name: 'Its packet' }).tap()
  })

  await test.step('its files are made, and handed on', async () => {
    await heading(page, 'Submitted orders')
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
    for (const name of ['manifest.csv', 'manifest.json', `${another}/1-1-`]) expect(zip).toContain(name)
    await page.keyboard.press('Escape')
    await choose(page, another)
    await page.getByRole('button', { name: 'In production' }).tap()
    await expect(row(page, another)).toContainText('In production')
    await expect(packet.getByRole('button', { name: 'Take back' })).toBeHidden()
  })

  await test.step('a camera card is printed, and read by the tablet at the shoot', async () => {
    await page.goto(`${job}/orders/camera-cards?paper=a4`)
    const card = page.getByRole('article', { name: 'Card of Ada Lovelace' })
    await expect(card.getByRole('img')).toBeVisible()
    await checkStaffScreen(page, '226-camera-cards')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    const drawn = await card.screenshot()
    await page.emulateMedia({ media: null })
    const sheets = await page.getByRole('region', { name: 'Sheet of cards' }).count()
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(sheets)
    // A4 in points.
    expect(paper).toMatch(/MediaBox \[0 0 59[45]\.?\d* 84[12]\.?\d*\]/)
    const shoot = await page.context().newPage()
    await fakeCameraStream(shoot, drawn)
    await shoot.goto(`${job}/shoot`)
    await shoot.getByRole('button', { name: 'Scan' }).tap()
    await expect(shoot.getByRole('region', { name: 'Who stands here' })).toContainText('Ada Lovelace')
    await shoot.close()
  })

  await test.step('and the roster, with who has ordered', async () => {
    await page.goto(`${job}/orders/print`)
    await expect(row(page, 'Lovelace, Ada')).toContainText('Yes')
    await checkStaffScreen(page, '227-roster')
  })

  await test.step('and from a person to what was ordered of them', async () => {
    await page.goto(`${job}/subjects?filter=lovelace+ada`)
    await page.getByRole('link', { name: /Ada/ }).first().tap()
    await page.getByRole('link', { name: another }).tap()
    await heading(page, another)
  })
})
