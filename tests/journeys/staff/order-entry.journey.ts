import type { Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const desk = { width: 1280, height: 800 }
test.use({
  viewport: desk,
  isMobile: false,
  hasTouch: false,
  deviceScaleFactor: 1,
  contextOptions: { reducedMotion: 'reduce' },
})

/** Types by the keyboard alone: every key goes to the focused element. */
const keys = async (page: Page, ...typed: readonly string[]) => {
  for (const one of typed) {
    if (/^(Enter|Shift\+Tab|ArrowLeft|ArrowRight|Control\+Enter)$/.test(one)) await page.keyboard.press(one)
    else await page.keyboard.type(one)
  }
}
const focused = (page: Page, name: string | RegExp) => expect(page.locator(':focus')).toHaveAccessibleName(name)
const total = (page: Page) =>
  page.getByRole('region', { name: 'Payment' }).locator('dl div', { hasText: 'Total' }).locator('dd')
const ordered = (page: Page) => page.getByRole('status').filter({ hasText: 'Ordered: FP-' })
/** Fills the form from the first name to the shipping option; empty fields are skipped. */
const customer = async (page: Page, firstName: string, phone: string, email: string) => {
  await focused(page, 'First name')
  await keys(page, firstName, 'Enter')
  await focused(page, 'Last name')
  await keys(page, 'Enter', phone, 'Enter', email, 'Enter')
}
/** Fills the form from the shipping option to the payment, once the price is shown. */
const address = async (page: Page) => {
  await focused(page, /Standard Shipping/)
  await keys(page, 'Enter', '1 Mill Street', 'Enter', 'Enter', 'Dayton', 'Enter')
  await focused(page, 'State')
  await keys(page, 'OH', 'Enter', '45402', 'Enter', 'Enter')
  await focused(page, 'Cash')
  await expect(total(page)).not.toHaveText('$0.00')
  await expect(page.getByText('This field is required')).toHaveCount(0)
}
const numberIn = async (page: Page): Promise<string> =>
  /FP-\w{8}/.exec((await ordered(page).textContent()) ?? '')?.[0] ?? ''

/** Zooms and rotates the first print's image in a small window. Enter stays within the dialog. */
const cropByKeys = async (page: Page) => {
  const form = page.getByRole('list', { name: 'On the form' })
  await form
    .getByRole('button', { name: /^Crop / })
    .first()
    .press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Crop and turn' })
  const window = await sheet.getByRole('group', { name: /The arrow keys move the picture/ }).boundingBox()
  expect(Math.max(window?.width ?? 0, window?.height ?? 0)).toBeCloseTo(200, 0)
  await checkStaffScreen(page, '66-entry-crop')
  await page.setViewportSize(desk)
  const zoom = sheet.getByRole('slider', { name: 'Zoom' })
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await zoom.press(key)
  await expect(zoom).toBeFocused()
  await sheet.getByRole('button', { name: 'Turn right' }).press('Enter')
  await sheet.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(sheet).toHaveCount(0)
  await expect(form.getByRole('button', { name: /: cropped$/ })).toBeFocused()
  await page.getByRole('textbox', { name: 'Package' }).focus()
}

test('Three orders on paper by the keyboard alone, a receipt, and one taken back', async ({ page }) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1/jobs/1/entry' })
  await expect(page.getByRole('heading', { level: 1, name: 'Entry' })).toBeVisible()
  await checkStaffScreen(page, '63-entry-empty')
  await page.setViewportSize(desk)

  await test.step('one package, from a picture, paid in cash: what is missing is said at its place', async () => {
    await page.locator('body').press('n')
    await focused(page, 'Who')
    await keys(page, 'ADALVL', 'Enter')
    await focused(page, 'Package')
    await keys(page, '1', 'Enter')
    await focused(page, 'Picture')
    const seen = page.getByRole('list', { name: 'Pictures to choose from' }).first().locator('img')
    await expect(seen.first()).not.toHaveJSProperty('naturalWidth', 0)
    await keys(page, '2', 'Enter')
    await focused(page, 'Package')
    await keys(page, 'Enter')
    await focused(page, 'First name')
    await keys(page, 'Grace', 'Enter')
    await expect(page.getByRole('textbox', { name: 'Last name' })).toHaveValue('Lovelace')
    await expect(total(page)).not.toHaveText('$0.00')
    await keys(page, 'Control+Enter')
    await expect(page.getByText('Enter what was handed over')).toBeVisible()
    await expect(page.getByText('This field is required')).toHaveCount(4)
    await checkStaffScreen(page, '64-entry-keyed')
    await page.setViewportSize(desk)
    await page.getByRole('textbox', { name: 'Last name' }).focus()
    await keys(page, 'Enter', 'Enter', 'Enter')
    await address(page)
    await keys(page, 'Enter', '200')
    await expect(page.getByText(/^Change \$/)).toBeVisible()
    await keys(page, 'Enter')
    await expect(ordered(page)).toContainText(/and \$[\d.]+ back/)
    await focused(page, 'Who')
  })

  await test.step('two of one, its picture cropped, by check', async () => {
    await keys(page, 'lovelace', 'Enter')
    await focused(page, 'Package')
    await keys(page, 'package b x2', 'Enter')
    await focused(page, 'Picture')
    await keys(page, '1', 'Enter')
    await cropByKeys(page)
    await focused(page, 'Package')
    await keys(page, 'Enter')
    await customer(page, 'Alan', '937-555-0142', 'alan@example.com')
    await address(page)
    await keys(page, 'ArrowRight', 'Enter')
    await focused(page, 'Check number')
    await keys(page, '1042', 'Enter')
    await focused(page, 'Received')
    const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/entry/orders'))
    await keys(page, ((await total(page).textContent()) ?? '').replace('$', ''), 'Enter')
    const { crops } = (await sent).postDataJSON().draft.lines[0]
    expect(crops).toEqual([expect.objectContaining({ rotation: 90, cropDimensions: expect.anything() })])
    await expect(ordered(page)).toBeVisible()
    await expect(page.getByRole('link', { name: /Alan Lovelace/ })).toContainText('Check')
    await focused(page, 'Who')
  })

  let third = ''
  await test.step('pictures later, ordered by Ctrl and Enter, which are held a while', async () => {
    await keys(page, 'ADALVL', 'Enter')
    await focused(page, 'Package')
    await keys(page, 'Shift+Tab', 'ArrowLeft', 'Enter')
    await focused(page, 'Package')
    await keys(page, '1', 'Enter')
    await focused(page, 'Package')
    await keys(page, 'Enter')
    await customer(page, 'Mary', '', '')
    await address(page)
    let asked = 0
    await page.route('**/entry/orders', async (route) => {
      if (route.request().method() === 'POST') asked += 1
      await route.continue()
    })
    await keys(page, 'Enter', '100', 'Control+Enter', 'Control+Enter', 'Control+Enter')
    await expect(page.getByRole('link', { name: /Mary Lovelace/ })).toContainText('Cash')
    expect(asked).toBe(1)
    third = await numberIn(page)
  })

  await test.step('its receipt, and taken back', async () => {
    await ordered(page).getByRole('link', { name: 'Receipt' }).press('Enter')
    const receipt = page.getByRole('article', { name: 'Receipt' })
    await expect(receipt).toContainText(third)
    await expect(receipt).toContainText('Paid in cash')
    await checkStaffScreen(page, '65-receipt')
    await page.setViewportSize(desk)
    await page.getByRole('button', { name: 'Cancel the order' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    await keys(page, 'Keyed in twice', 'Enter')
    await expect(dialog).toHaveCount(0)
    await expect(receipt).toContainText('This order was cancelled')
    await page.goBack()
    await expect(page.getByRole('link', { name: /Mary Lovelace/ })).toContainText('Cancelled')
  })
})

test('Who keys faster than the studio answers loses no package, and gives none to the person before', async ({
  page,
}) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1/jobs/1/entry' })
  const form = page.getByRole('list', { name: 'On the form' })
  const who = page.getByRole('combobox', { name: 'Who' })
  const which = page.getByRole('textbox', { name: 'Package' })
  const lastName = page.getByRole('textbox', { name: 'Last name' })
  const people = /\/entry\/subjects\?/
  let answer = (): void => {}
  const holdPeople = async () => {
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.unroute(people)
    await page.route(people, async (route) => {
      await mayAnswer
      await route.continue()
    })
  }
  /** The entered draft is stored, the screen says so, and the form is empty. */
  const isKept = async (keyed: string) => {
    await expect(which).toHaveValue(keyed)
    await expect(which).toHaveAccessibleDescription(/Say first whom it is for/)
  }

  await test.step('nobody chosen: the focus asks for whom', async () => {
    await which.fill('2')
    await keys(page, 'Enter')
    await focused(page, 'Who')
    await isKept('2')
  })

  await test.step('keyed on before the answer is there: Enter once more takes it', async () => {
    await holdPeople()
    await who.fill('ADALVL')
    await keys(page, 'Enter')
    await which.fill('1')
    await keys(page, 'Enter')
    await isKept('1')
    await focused(page, 'Package')
    answer()
    await expect(lastName).toHaveValue('Lovelace')
    await keys(page, 'Enter')
    await expect(form.getByText('Ada Lovelace')).toHaveCount(1)
    await expect(which).toHaveValue('')
  })

  await test.step('a brother’s package does not become the sister’s', async () => {
    await holdPeople()
    await who.fill('Mateo')
    await keys(page, 'Enter')
    await which.fill('2')
    await keys(page, 'Enter')
    await isKept('2')
    answer()
    await expect(who).toHaveAttribute('placeholder', /Mateo Alvarez/)
    await keys(page, 'Enter')
    await expect(form.getByText('Mateo Alvarez')).toHaveCount(1)
    await expect(form.getByText('Ada Lovelace')).toHaveCount(1)
  })

  await test.step('nor one keyed in after a name that nobody has', async () => {
    await who.fill('Nobody Atall')
    await keys(page, 'Enter')
    await expect(page.getByText('Nobody of this job is called that')).toBeVisible()
    await which.fill('1')
    await keys(page, 'Enter')
    await isKept('1')
    await expect(form.getByRole('listitem').filter({ hasText: 'Mateo Alvarez' })).toHaveCount(1)
  })
})
