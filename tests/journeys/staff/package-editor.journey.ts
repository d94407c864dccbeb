import type { Locator, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

const desk = { width: 1280, height: 900 }
test.use({ viewport: desk, hasTouch: false, isMobile: false, deviceScaleFactor: 1 })

const signIn = async (page: Page, at: string): Promise<void> => {
  await page.goto(`/login?ret=${encodeURIComponent(at)}`)
  await page.getByLabel('Email').fill('staff@riverside.test')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(new RegExp(`${at}$`))
}

const field = (page: Page, name: string): Locator => page.getByRole('spinbutton', { name })

/** The position of a node in its number fields. */
const readPosition = async (page: Page): Promise<number[]> => {
  const sides = ['Left, %', 'Top, %', 'Width, %', 'Height, %']
  return await Promise.all(sides.map(async (side) => Number(await field(page, side).inputValue())))
}

const dragByMouse = async (page: Page, element: Locator, offset: { x: number; y: number }): Promise<void> => {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element has no bounding box')
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + offset.x / 2, start.y + offset.y / 2, { steps: 4 })
  await page.mouse.move(start.x + offset.x, start.y + offset.y, { steps: 4 })
  await page.mouse.up()
}

/** Drags by touch. A node must be selected first, otherwise the touch scrolls the page. */
const dragByTouch = async (page: Page, element: Locator, offset: { x: number; y: number }): Promise<void> => {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element has no bounding box')
  const devtools = await page.context().newCDPSession(page)
  const pointAt = (fraction: number) => ({
    x: box.x + box.width / 2 + offset.x * fraction,
    y: box.y + box.height / 2 + offset.y * fraction,
  })
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', fraction?: number) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: fraction === undefined ? [] : [pointAt(fraction)] })
  await touch('touchStart', 0)
  for (const fraction of [0.25, 0.5, 0.75, 1]) await touch('touchMove', fraction)
  await touch('touchEnd')
  await devtools.detach()
}

/** Checks the screen at all widths, then restores the desktop viewport. */
const checkStaffScreenAtDesk = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(desk)
}

test('Staff create a package set, place an image and a text on a print, offer it in a job, and a parent sees it', async ({
  page,
  browser,
  product,
}) => {
  const imageNode = page.getByRole('button', { name: /^Image 1, image/ })
  const textNode = page.getByRole('button', { name: /^Name, text/ })
  const saveButton = page.getByRole('button', { name: 'Save', exact: true })

  await test.step('A package set is created', async () => {
    await signIn(page, '/admin/studios/1/pkg-set-mgmt')
    await expect(page.getByRole('link', { name: 'School Portraits' })).toBeVisible()
    await checkStaffScreenAtDesk(page, '81-package-sets')
    await page.getByRole('button', { name: 'New package set' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Picture retake')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Picture retake' })).toBeVisible()
    await page.getByRole('link', { name: 'New package' }).first().click()
  })

  await test.step('Missing fields are marked', async () => {
    await saveButton.click()
    await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
    await expect(page.getByText('This field is required')).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Contents 1' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Keepsake')
    await field(page, 'Price, $').fill('19.5')
    await page.getByRole('textbox', { name: 'Description' }).fill('One 8×10 with a name')
  })

  await test.step('A product is added, and its image is placed by mouse', async () => {
    await page.getByRole('tab', { name: /Contents/ }).click()
    await page.getByRole('button', { name: 'Add product' }).click()
    await page.getByRole('button', { name: /^8×10 print/ }).click()
    await imageNode.click()
    expect(await readPosition(page)).toEqual([0, 0, 100, 100])
    const sheet = await imageNode.boundingBox()
    if (!sheet) throw new Error('the print is not drawn')
    // Moves the lower edge up by a quarter of the height; the other edges stay.
    await dragByMouse(page, page.locator('[data-handle="s"]'), { x: 0, y: -sheet.height / 4 })
    expect(await readPosition(page)).toEqual([0, 0, 100, expect.closeTo(75, 0)])
    await expect(page.getByText(/Unusual shape/)).toBeVisible()
    await page.getByRole('button', { name: '8/10' }).click()
    expect(await readPosition(page)).toEqual([0, 0, 100, 100])
    await field(page, 'Width, %').fill('50')
    await field(page, 'Height, %').fill('50')
    // Near the middle of the print, the image snaps to it.
    await dragByMouse(page, imageNode, { x: sheet.width * 0.245, y: sheet.height / 10 })
    expect(await readPosition(page)).toEqual([25, expect.closeTo(10, 0), 50, 50])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    expect(await readPosition(page)).toEqual([0, 0, 50, 50])
    await page.getByRole('button', { name: 'Redo', exact: true }).click()
    expect(await readPosition(page)).toEqual([25, expect.closeTo(10, 0), 50, 50])
  })

  await test.step('A text is placed by keyboard and by touch', async () => {
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await textNode.focus()
    expect(await readPosition(page)).toEqual([15, 80, 70, 8])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await page.keyboard.press('Alt+ArrowDown')
    expect(await readPosition(page)).toEqual([10, 79, 75, 8.5])
    // One key press is one undo step.
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    expect(await readPosition(page)).toEqual([15, 80, 70, 8])
    await textNode.focus()
    await page.keyboard.press('Control+Shift+z')
    expect(await readPosition(page)).toEqual([10, 79, 75, 8.5])
    await imageNode.focus()
    const print = await imageNode.boundingBox()
    if (!print) throw new Error('the print is not drawn')
    await dragByTouch(page, textNode, { x: 0, y: print.height / 5 })
    // The node was not selected, because the finger was scrolling the page.
    await textNode.click()
    expect(await readPosition(page)).toEqual([10, 79, 75, 8.5])
    await dragByTouch(page, textNode, { x: 0, y: -print.height / 5 })
    expect(await readPosition(page)).toEqual([10, expect.closeTo(69, 0), 75, 8.5])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Image 1')
    await saveButton.click()
    await expect(page.getByText('Something else on this print has this name')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Name')
    await checkStaffScreenAtDesk(page, '82-package-editor')
  })

  await test.step('Unsaved changes survive a reload, and a failed save', async () => {
    await page.reload()
    await expect(page.getByText('What you changed here before is still here')).toBeVisible()
    await page.getByRole('button', { name: 'Preview as a parent sees it' }).click()
    const preview = page.getByRole('dialog', { name: 'As a parent sees it' })
    await expect(preview.getByText('$19.50')).toBeVisible()
    await expect(preview.getByText('The parent chooses a photo')).toBeVisible()
    await checkStaffScreenAtDesk(page, '83-package-preview')
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await saveButton.click()
    await expect(page.getByText('There is no connection right now. Please try again in a moment')).toBeVisible()
    await page.context().setOffline(false)
    await saveButton.click()
    await expect(page).toHaveURL(/\/packages\/\d+$/)
    await expect(page.getByRole('heading', { name: 'Keepsake', level: 1 })).toBeVisible()
  })

  await test.step('On a conflict between two devices, the second is notified, and both changes are saved', async () => {
    const otherContext = await browser.newContext({ baseURL: product.url, viewport: desk })
    const secondPage = await otherContext.newPage()
    await signIn(secondPage, new URL(page.url()).pathname)
    await secondPage.getByRole('tab', { name: 'Name and price' }).click()
    await secondPage.getByRole('spinbutton', { name: 'Price, $' }).fill('21')
    await secondPage.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(secondPage.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Name and price' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Keepsake print')
    await saveButton.click()
    await expect(page.getByText('Someone else saved this while you were editing')).toBeVisible()
    await expect(field(page, 'Price, $')).toHaveValue('21.00')
    await saveButton.click()
    await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await otherContext.close()
  })

  await test.step('The set is offered in a job, and a background is uploaded', async () => {
    await page.goto('/admin/studios/1/jobs/1/packages')
    await page.getByRole('combobox', { name: 'Package set' }).selectOption('Picture retake')
    await page.getByRole('button', { name: 'Offer this set' }).click()
    await expect(page.getByRole('link', { name: 'Keepsake print' })).toBeVisible()
    await checkStaffScreenAtDesk(page, '84-job-packages')
    await page.getByRole('link', { name: 'Edit this set' }).click()
    await expect(page).toHaveURL(/jobs\/1\/package-sets\/\d+$/)
    await expect(page.getByRole('heading', { name: 'Picture retake' })).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'Green screens' }).click()
    await page.getByRole('button', { name: 'Upload backgrounds' }).first().waitFor()
    await page
      .getByLabel('Images to upload as backgrounds')
      .first()
      .setInputFiles([
        { name: 'note.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
        { name: 'blue_sky.png', mimeType: 'image/png', buffer: await page.screenshot() },
      ])
    await expect(toastWithText(page, 'note.jpg: This file is not an image')).toBeVisible()
    await expect(page.getByRole('img', { name: 'blue sky' })).toBeVisible()
    await checkStaffScreenAtDesk(page, '85-green-screens')
  })

  await test.step('A parent sees the package', async () => {
    const phone = await browser.newContext({ baseURL: product.url, viewport: { width: 390, height: 844 } })
    const customerPage = await phone.newPage()
    await openAda(customerPage)
    await expect(customerPage.getByRole('button', { name: /^Choose: Keepsake print/ })).toBeVisible()
    await expect(customerPage.getByText('$21.00').first()).toBeVisible()
    await phone.close()
  })
})
