import type { Locator, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { openAda } from '#support/journeys/customer-steps.ts'
import { expect, test } from '#support/journeys/journey-test.ts'

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
const place = async (page: Page): Promise<number[]> => {
  const sides = ['Left, %', 'Top, %', 'Width, %', 'Height, %']
  return await Promise.all(sides.map(async (side) => Number(await field(page, side).inputValue())))
}

const drag = async (page: Page, from: Locator, by: { x: number; y: number }): Promise<void> => {
  const box = await from.boundingBox()
  if (!box) throw new Error('there is nothing to take hold of')
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(start.x + by.x / 2, start.y + by.y / 2, { steps: 4 })
  await page.mouse.move(start.x + by.x, start.y + by.y, { steps: 4 })
  await page.mouse.up()
}

/** Drags by touch: the first tap selects, the next touch drags. */
const dragByFinger = async (page: Page, from: Locator, by: { x: number; y: number }): Promise<void> => {
  const box = await from.boundingBox()
  if (!box) throw new Error('there is nothing to take hold of')
  const finger = await page.context().newCDPSession(page)
  const at = (part: number) => ({ x: box.x + box.width / 2 + by.x * part, y: box.y + box.height / 2 + by.y * part })
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part?: number) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: part === undefined ? [] : [at(part)] })
  await touch('touchStart', 0)
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', part)
  await touch('touchEnd')
  await finger.detach()
}

/** Checks the screen in all sizes, and returns to the size of the desk. */
const look = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(desk)
}

test('Staff make a package set, place a picture and a text on a print, offer it in a job, and a parent sees it', async ({
  page,
  browser,
  product,
}) => {
  const stage = page.getByRole('button', { name: /^Image 1, picture/ })
  const text = page.getByRole('button', { name: /^Name, text/ })
  const save = page.getByRole('button', { name: 'Save', exact: true })

  await test.step('a set', async () => {
    await signIn(page, '/admin/studios/1/pkg-set-mgmt')
    await expect(page.getByRole('link', { name: 'School Portraits' })).toBeVisible()
    await look(page, '81-package-sets')
    await page.getByRole('button', { name: 'New package set' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Picture retake')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Picture retake' })).toBeVisible()
    await page.getByRole('link', { name: 'New package' }).first().click()
  })

  await test.step('what is missing is said where it is missing', async () => {
    await save.click()
    await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
    await expect(page.getByText('This field is required')).toBeVisible()
    await expect(page.getByRole('tab', { name: 'What is in it 1' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Keepsake')
    await field(page, 'Price, $').fill('19.5')
    await page.getByRole('textbox', { name: 'Description' }).fill('One 8×10 with a name')
  })

  await test.step('a product, its picture placed by mouse', async () => {
    await page.getByRole('tab', { name: /What is in it/ }).click()
    await page.getByRole('button', { name: 'Add product' }).click()
    await page.getByRole('button', { name: /^8×10 print/ }).click()
    await stage.click()
    expect(await place(page)).toEqual([0, 0, 100, 100])
    const sheet = await stage.boundingBox()
    if (!sheet) throw new Error('the print is not drawn')
    // Moves the lower edge up by a quarter of the height; the other edges stay.
    await drag(page, page.locator('[data-handle="s"]'), { x: 0, y: -sheet.height / 4 })
    expect(await place(page)).toEqual([0, 0, 100, expect.closeTo(75, 0)])
    await expect(page.getByText(/No usual shape/)).toBeVisible()
    await page.getByRole('button', { name: '8/10' }).click()
    expect(await place(page)).toEqual([0, 0, 100, 100])
    await field(page, 'Width, %').fill('50')
    await field(page, 'Height, %').fill('50')
    // Close to the middle it snaps to it.
    await drag(page, stage, { x: sheet.width * 0.245, y: sheet.height / 10 })
    expect(await place(page)).toEqual([25, expect.closeTo(10, 0), 50, 50])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    expect(await place(page)).toEqual([0, 0, 50, 50])
    await page.getByRole('button', { name: 'Redo', exact: true }).click()
    expect(await place(page)).toEqual([25, expect.closeTo(10, 0), 50, 50])
  })

  await test.step('a text, placed by the keyboard', async () => {
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await text.focus()
    expect(await place(page)).toEqual([15, 80, 70, 8])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Alt+Shift+ArrowRight')
    await page.keyboard.press('Alt+ArrowDown')
    expect(await place(page)).toEqual([10, 79, 75, 8.5])
    // One key press is one undo step.
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    expect(await place(page)).toEqual([15, 80, 70, 8])
    await text.focus()
    await page.keyboard.press('Control+Shift+z')
    expect(await place(page)).toEqual([10, 79, 75, 8.5])
    await stage.focus()
    const print = await stage.boundingBox()
    if (!print) throw new Error('the print is not drawn')
    await dragByFinger(page, text, { x: 0, y: print.height / 5 })
    // The node was not selected, because the finger was scrolling the page.
    await text.click()
    expect(await place(page)).toEqual([10, 79, 75, 8.5])
    await dragByFinger(page, text, { x: 0, y: -print.height / 5 })
    expect(await place(page)).toEqual([10, expect.closeTo(69, 0), 75, 8.5])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Image 1')
    await save.click()
    await expect(page.getByText('Something else on this print has this name')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Name')
    await look(page, '82-package-editor')
  })

  await test.step('what is not saved stays when the screen is left', async () => {
    await page.reload()
    await expect(page.getByText('What you changed here before is still here')).toBeVisible()
    await page.getByRole('button', { name: 'Preview as a parent sees it' }).click()
    const preview = page.getByRole('dialog', { name: 'As a parent sees it' })
    await expect(preview.getByText('$19.50')).toBeVisible()
    await expect(preview.getByText('The parent chooses a picture')).toBeVisible()
    await look(page, '83-package-preview')
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await save.click()
    await expect(page.getByText('There is no connection right now. Please try again in a moment')).toBeVisible()
    await page.context().setOffline(false)
    await save.click()
    await expect(page).toHaveURL(/\/packages\/\d+$/)
    await expect(page.getByRole('heading', { name: 'Keepsake', level: 1 })).toBeVisible()
  })

  await test.step('two tablets at one package: the second is told, and both changes stay', async () => {
    const other = await browser.newContext({ baseURL: product.url, viewport: desk })
    const second = await other.newPage()
    await signIn(second, new URL(page.url()).pathname)
    await second.getByRole('tab', { name: 'Name and price' }).click()
    await second.getByRole('spinbutton', { name: 'Price, $' }).fill('21')
    await second.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(second.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Name and price' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Keepsake print')
    await save.click()
    await expect(page.getByText('Somebody else saved this while you were at it')).toBeVisible()
    await expect(field(page, 'Price, $')).toHaveValue('21.00')
    await save.click()
    await expect(page.getByRole('main').getByText('Saved', { exact: true })).toBeVisible()
    await other.close()
  })

  await test.step('offered in a job, and a background with it', async () => {
    await page.goto('/admin/studios/1/jobs/1/packages')
    await page.getByRole('combobox', { name: 'Package set' }).selectOption('Picture retake')
    await page.getByRole('button', { name: 'Offer this set' }).click()
    await expect(page.getByRole('link', { name: 'Keepsake print' })).toBeVisible()
    await look(page, '84-job-packages')
    await page.getByRole('link', { name: 'Edit this set' }).click()
    await expect(page).toHaveURL(/jobs\/1\/package-sets\/\d+$/)
    await expect(page.getByRole('heading', { name: 'Picture retake' })).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'Green screens' }).click()
    await page.getByRole('button', { name: 'Upload backgrounds' }).first().waitFor()
    await page
      .getByLabel('Pictures to upload as backgrounds')
      .first()
      .setInputFiles([
        { name: 'note.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
        { name: 'blue_sky.png', mimeType: 'image/png', buffer: await page.screenshot() },
      ])
    await expect(
      page.getByRole('region', { name: /Notifications/ }).getByText('note.jpg: This file is not a picture'),
    ).toBeVisible()
    await expect(page.getByRole('img', { name: 'blue sky' })).toBeVisible()
    await look(page, '85-green-screens')
  })

  await test.step('a parent sees it', async () => {
    const phone = await browser.newContext({ baseURL: product.url, viewport: { width: 390, height: 844 } })
    const parent = await phone.newPage()
    await openAda(parent)
    await expect(parent.getByRole('button', { name: /^Choose: Keepsake print/ })).toBeVisible()
    await expect(parent.getByText('$21.00').first()).toBeVisible()
    await phone.close()
  })
})
