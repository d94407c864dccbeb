import type { Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

const studio = '/admin/studios/1'
const reason = 'A parent sees no photos'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const notice = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

// Thumbnails have no alternative text, because their file name is below them.
const firstImage = (page: Page) => page.locator('main img').first()

/** How strongly the pixels of the first image differ from their neighbors, which is little in a blurred image. */
const sharpness = (page: Page): Promise<number> =>
  firstImage(page).evaluate(async (element) => {
    const image = element as HTMLImageElement
    await image.decode()
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const { data, width } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [], width: 0 }
    let strongest = 0
    for (let index = 4; index < data.length; index += 4)
      if ((index / 4) % width !== 0)
        strongest = Math.max(strongest, Math.abs(Number(data[index + 1]) - Number(data[index - 3])))
    return strongest
  })

test('An administrator enters a studio with the consent of its owner, who ends it', async ({
  page,
  browser,
  baseURL,
}) => {
  const ownerContext = await browser.newContext({ ...(baseURL && { baseURL }) })
  const owner = await ownerContext.newPage()

  await test.step('Without access the studio asks for consent or a reason', async () => {
    await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/studios' })
    await page.getByRole('link', { name: 'Riverside Portraits' }).click()
    await expect(heading(page, 'Access to Riverside Portraits')).toBeVisible()
    await page.getByLabel('Reason').fill('Because')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Write at least three words').first()).toBeVisible()
    await checkStaffScreen(page, '300-support-request')
    await page.getByLabel('Reason').fill(reason)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(notice(page, 'This page opens as soon as an owner allows it')).toBeVisible()
  })

  await test.step('The owner gets a notice, and allows one hour with one tap', async () => {
    await signIn(owner, { email: 'owner@riverside.test', at: studio })
    await expect(notice(owner, /asks for access to your studio/)).toContainText(reason)
    await checkStaffScreen(owner, '302-support-notice')
    await owner.getByRole('button', { name: 'Allow 1 hour' }).click()
    await expect(toastWithText(owner, 'has access for 1 hour')).toBeVisible()
    await expect(notice(owner, /has access until/)).toContainText('Read-only, images blurred')
  })

  await test.step('The administrator sees the jobs below a banner, and blurred photos', async () => {
    await expect(notice(page, 'You are in Riverside Portraits until')).toBeVisible()
    await page.goto(`${studio}/jobs`)
    await expect(heading(page, 'Jobs')).toBeVisible()
    await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
    await expect(notice(page, 'You are in Riverside Portraits until')).toContainText(`Reason: “${reason}”`)
    await checkStaffScreen(page, '303-support-banner')
    for (const viewer of [page, owner]) {
      await viewer.goto(`${studio}/jobs/1/images`)
      await expect(firstImage(viewer)).toBeVisible()
    }
    await checkStaffScreen(page, '304-blurred-photos')
    expect(await sharpness(page)).toBeLessThan((await sharpness(owner)) / 2)
  })

  await test.step('A change is refused, and says why', async () => {
    await page.goto(`${studio}/organizations`)
    await page.getByRole('button', { name: 'New organization' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('North School')
    await dialog.getByRole('button', { name: 'Create organization' }).click()
    await expect(page.getByText('Your access to this studio is read-only').first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('The owner sees who has access, and ends it', async () => {
    await owner.goto(`${studio}/settings`)
    await owner.getByRole('link', { name: 'Allow and end access' }).click()
    await expect(heading(owner, 'Support access')).toBeVisible()
    const row = owner.getByRole('main').getByRole('listitem').filter({ hasText: reason })
    await expect(row).toContainText(reason)
    await checkStaffScreen(owner, '301-support-access')
    await row.getByRole('button', { name: /^End access/ }).click()
    await expect(row).toContainText('Ended')
  })

  await test.step('The administrator’s next click is refused, with the explanation', async () => {
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
    await expect(notice(page, /ended your access on/)).toBeVisible()
    await expect(heading(page, 'Access to Riverside Portraits')).toBeVisible()
  })

  await test.step('A reason opens the studio to read, and the administrator leaves', async () => {
    await page.getByLabel('Reason').fill(reason)
    await page.getByLabel('What to do').selectOption({ label: 'Read for 1 hour without their consent' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(notice(page, 'You are in Riverside Portraits until')).toContainText('Without consent')
    await owner.reload()
    await expect(notice(owner, /has access until/)).toContainText(reason)
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect(heading(page, 'Studios')).toBeVisible()
  })
  await ownerContext.close()
})
