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

/** Presses keys and types texts at the focused element. */
const keyIn = async (page: Page, ...inputs: readonly string[]) => {
  for (const input of inputs) {
    if (/^(Enter|Shift\+Tab|ArrowLeft|ArrowRight|Control\+Enter)$/.test(input)) await page.keyboard.press(input)
    else await page.keyboard.type(input)
  }
}
const expectFocused = (page: Page, name: string | RegExp) => expect(page.locator(':focus')).toHaveAccessibleName(name)
const total = (page: Page) =>
  page.getByRole('region', { name: 'Payment' }).locator('dl div', { hasText: 'Total' }).locator('dd')
const orderedStatus = (page: Page) => page.getByRole('status').filter({ hasText: 'Ordered: FP-' })
/** Fills the form from the first name to the email. An empty value leaves its field empty. */
const keyInCustomer = async (page: Page, firstName: string, phone: string, email: string) => {
  await expectFocused(page, 'First name')
  await keyIn(page, firstName, 'Enter')
  await expectFocused(page, 'Last name')
  await keyIn(page, 'Enter', phone, 'Enter', email, 'Enter')
}
/** Fills the form from the shipping option to the ZIP code, and waits for the total. */
const keyInAddress = async (page: Page) => {
  await expectFocused(page, /Standard Shipping/)
  await keyIn(page, 'Enter', '1 Mill Street', 'Enter', 'Enter', 'Dayton', 'Enter')
  await expectFocused(page, 'State')
  await keyIn(page, 'OH', 'Enter', '45402', 'Enter', 'Enter')
  await expectFocused(page, 'Cash')
  await expect(total(page)).not.toHaveText('$0.00')
  await expect(page.getByText('This field is required')).toHaveCount(0)
}
const readOrderNumber = async (page: Page): Promise<string> =>
  /FP-\w{8}/.exec((await orderedStatus(page).textContent()) ?? '')?.[0] ?? ''

/** Zooms and rotates the first print's image in a small window. Enter stays within the dialog. */
const cropByKeys = async (page: Page) => {
  const form = page.getByRole('list', { name: 'On the form' })
  await form
    .getByRole('button', { name: /^Crop / })
    .first()
    .press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Crop and rotate' })
  const cropArea = await sheet.getByRole('group', { name: /The arrow keys move the photo/ }).boundingBox()
  expect(Math.max(cropArea?.width ?? 0, cropArea?.height ?? 0)).toBeCloseTo(200, 0)
  await checkStaffScreen(page, '66-entry-crop')
  await page.setViewportSize(desk)
  const zoom = sheet.getByRole('slider', { name: 'Zoom' })
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await zoom.press(key)
  await expect(zoom).toBeFocused()
  await sheet.getByRole('button', { name: 'Rotate right' }).press('Enter')
  await sheet.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(sheet).toHaveCount(0)
  await expect(form.getByRole('button', { name: /: cropped$/ })).toBeFocused()
  await page.getByRole('textbox', { name: 'Package' }).focus()
}

test('Staff enter three paper orders by keyboard only, print a receipt, and cancel one', async ({ page }) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1/jobs/1/entry' })
  await expect(page.getByRole('heading', { level: 1, name: 'Entry' })).toBeVisible()
  await checkStaffScreen(page, '63-entry-empty')
  await page.setViewportSize(desk)

  await test.step('An order of one image is paid in cash, after missing fields are marked', async () => {
    await page.locator('body').press('n')
    await expectFocused(page, 'Who')
    await keyIn(page, 'ADALVL', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, '1', 'Enter')
    await expectFocused(page, 'Image')
    const thumbnails = page.getByRole('list', { name: 'Images to choose from' }).first().locator('img')
    await expect(thumbnails.first()).not.toHaveJSProperty('naturalWidth', 0)
    await keyIn(page, '2', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, 'Enter')
    await expectFocused(page, 'First name')
    await keyIn(page, 'Grace', 'Enter')
    await expect(page.getByRole('textbox', { name: 'Last name' })).toHaveValue('Lovelace')
    await expect(total(page)).not.toHaveText('$0.00')
    await keyIn(page, 'Control+Enter')
    await expect(page.getByText('Enter the amount received')).toBeVisible()
    await expect(page.getByText('This field is required')).toHaveCount(4)
    await checkStaffScreen(page, '64-entry-keyed')
    await page.setViewportSize(desk)
    await page.getByRole('textbox', { name: 'Last name' }).focus()
    await keyIn(page, 'Enter', 'Enter', 'Enter')
    await keyInAddress(page)
    await keyIn(page, 'Enter', '200')
    await expect(page.getByText(/^Change \$/)).toBeVisible()
    await keyIn(page, 'Enter')
    await expect(orderedStatus(page)).toContainText(/\$[\d.]+ change/)
    await expectFocused(page, 'Who')
  })

  await test.step('An order of two copies with a crop is paid by check', async () => {
    await keyIn(page, 'lovelace', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, 'package b x2', 'Enter')
    await expectFocused(page, 'Image')
    await keyIn(page, '1', 'Enter')
    await cropByKeys(page)
    await expectFocused(page, 'Package')
    await keyIn(page, 'Enter')
    await keyInCustomer(page, 'Alan', '937-555-0142', 'alan@example.com')
    await keyInAddress(page)
    await keyIn(page, 'ArrowRight', 'Enter')
    await expectFocused(page, 'Check number')
    await keyIn(page, '1042', 'Enter')
    await expectFocused(page, 'Received')
    const orderRequest = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/entry/orders'),
    )
    await keyIn(page, ((await total(page).textContent()) ?? '').replace('$', ''), 'Enter')
    const { crops } = (await orderRequest).postDataJSON().draft.lines[0]
    expect(crops).toEqual([expect.objectContaining({ rotation: 90, cropDimensions: expect.anything() })])
    await expect(orderedStatus(page)).toBeVisible()
    await expect(page.getByRole('link', { name: /Alan Lovelace/ })).toContainText('Check')
    await expectFocused(page, 'Who')
  })

  let thirdNumber = ''
  await test.step('An order whose image is chosen later is sent once, although Ctrl+Enter is pressed three times', async () => {
    await keyIn(page, 'ADALVL', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, 'Shift+Tab', 'ArrowLeft', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, '1', 'Enter')
    await expectFocused(page, 'Package')
    await keyIn(page, 'Enter')
    await keyInCustomer(page, 'Mary', '', '')
    await keyInAddress(page)
    let requestCount = 0
    await page.route('**/entry/orders', async (route) => {
      if (route.request().method() === 'POST') requestCount += 1
      await route.continue()
    })
    await keyIn(page, 'Enter', '100', 'Control+Enter', 'Control+Enter', 'Control+Enter')
    await expect(page.getByRole('link', { name: /Mary Lovelace/ })).toContainText('Cash')
    expect(requestCount).toBe(1)
    thirdNumber = await readOrderNumber(page)
  })

  await test.step('The receipt is shown, and the order is cancelled', async () => {
    await orderedStatus(page).getByRole('link', { name: 'Receipt' }).press('Enter')
    const receipt = page.getByRole('article', { name: 'Receipt' })
    await expect(receipt).toContainText(thirdNumber)
    await expect(receipt).toContainText('Paid in cash')
    await checkStaffScreen(page, '65-receipt')
    await page.setViewportSize(desk)
    await page.getByRole('button', { name: 'Cancel the order' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    await keyIn(page, 'Keyed in twice', 'Enter')
    await expect(dialog).toHaveCount(0)
    await expect(receipt).toContainText('This order was cancelled')
    await page.goBack()
    await expect(page.getByRole('link', { name: /Mary Lovelace/ })).toContainText('Cancelled')
  })
})

test('Typing faster than the server responds loses no package, and adds none to the previous subject', async ({
  page,
}) => {
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1/jobs/1/entry' })
  const form = page.getByRole('list', { name: 'On the form' })
  const subjectField = page.getByRole('combobox', { name: 'Who' })
  const packageField = page.getByRole('textbox', { name: 'Package' })
  const lastName = page.getByRole('textbox', { name: 'Last name' })
  const subjectsRequest = /\/entry\/subjects\?/
  let releaseResponse = (): void => {}
  const holdSubjects = async () => {
    const released = new Promise<void>((resolve) => {
      releaseResponse = resolve
    })
    await page.unroute(subjectsRequest)
    await page.route(subjectsRequest, async (route) => {
      await released
      await route.continue()
    })
  }
  /** Checks that the entered package is still in its field, which asks for a subject first. */
  const expectEntryWaits = async (entered: string) => {
    await expect(packageField).toHaveValue(entered)
    await expect(packageField).toHaveAccessibleDescription(/Choose the subject first/)
  }

  await test.step('Without a subject, the focus moves to the subject field', async () => {
    await packageField.fill('2')
    await keyIn(page, 'Enter')
    await expectFocused(page, 'Who')
    await expectEntryWaits('2')
  })

  await test.step('A package entered before the subject is loaded is added by another Enter', async () => {
    await holdSubjects()
    await subjectField.fill('ADALVL')
    await keyIn(page, 'Enter')
    await packageField.fill('1')
    await keyIn(page, 'Enter')
    await expectEntryWaits('1')
    await expectFocused(page, 'Package')
    releaseResponse()
    await expect(lastName).toHaveValue('Lovelace')
    await keyIn(page, 'Enter')
    await expect(form.getByText('Ada Lovelace')).toHaveCount(1)
    await expect(packageField).toHaveValue('')
  })

  await test.step('A package entered for the next subject is not added to the previous one', async () => {
    await holdSubjects()
    await subjectField.fill('Mateo')
    await keyIn(page, 'Enter')
    await packageField.fill('2')
    await keyIn(page, 'Enter')
    await expectEntryWaits('2')
    releaseResponse()
    await expect(subjectField).toHaveAttribute('placeholder', /Mateo Alvarez/)
    await keyIn(page, 'Enter')
    await expect(form.getByText('Mateo Alvarez')).toHaveCount(1)
    await expect(form.getByText('Ada Lovelace')).toHaveCount(1)
  })

  await test.step('A package entered after an unknown name is not added', async () => {
    await subjectField.fill('Nobody Atall')
    await keyIn(page, 'Enter')
    await expect(page.getByText('No one in this job has that name')).toBeVisible()
    await packageField.fill('1')
    await keyIn(page, 'Enter')
    await expectEntryWaits('1')
    await expect(form.getByRole('listitem').filter({ hasText: 'Mateo Alvarez' })).toHaveCount(1)
  })
})
