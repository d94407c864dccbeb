import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { players } from '#server/demo/seed-subjects.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { allowPageErrors, expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { faultsInOrder, repeated } from '#support/network/fault-plans.ts'

type UploadFile = { name: string; mimeType: string; buffer: Buffer }

const tablet = { width: 1024, height: 768 }
test.use({ actionTimeout: 20_000, viewport: tablet, isMobile: false, hasTouch: true, deviceScaleFactor: 1 })

const rapids = '/admin/studios/1/jobs/3/images'

const makeImage = async (name: string, n: number): Promise<UploadFile> => {
  const noise = { type: 'gaussian' as const, mean: 100 + n * 3, sigma: 30 }
  const create = { width: 320, height: 400, channels: 3 as const, background: '#888', noise }
  const takenAt = `2027:04:01 09:${String(n).padStart(2, '0')}:00`
  const buffer = await sharp({ create })
    .withExif({ IFD2: { DateTimeOriginal: takenAt } })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

const makeGreenScreenImage = async (name: string): Promise<UploadFile> => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="800"><rect width="100%" height="100%" fill="#20b840"/>
    <circle cx="320" cy="330" r="150" fill="#c89678"/><path d="M90 800 Q320 300 550 800Z" fill="#334a9c"/></svg>`
  return { name, mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(drawing)).jpeg().toBuffer() }
}

/**
 * Makes thirty files of a shoot. Most are named after players, four match no subject, one has a green screen, one is damaged, and one is no
 * image.
 */
const makeShootFiles = async (): Promise<UploadFile[]> => {
  const matchedImages = await Promise.all(
    Array.from({ length: 23 }, (_, n) => {
      const player = players[n % players.length]
      return makeImage(`${player?.firstName} ${player?.lastName} ${n}.jpg`, n)
    }),
  )
  const unmatchedImages = await Promise.all([24, 25, 26, 27].map((n) => makeImage(`IMG_90${n}.jpg`, n)))
  const [firstPlayer] = players
  const truncatedImage = await makeImage('broken.jpg', 28)
  return [
    ...matchedImages,
    ...unmatchedImages,
    await makeGreenScreenImage(`${firstPlayer?.firstName} ${firstPlayer?.lastName} green.jpg`),
    { ...truncatedImage, buffer: truncatedImage.buffer.subarray(0, truncatedImage.buffer.length / 2) },
    { name: 'drawing.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  ]
}

const logIn = async (page: Page): Promise<void> => {
  await page.goto(`/login?ret=${encodeURIComponent(rapids)}`)
  await page.getByLabel('Email').fill('staff@riverside.test')
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Images', exact: true })).toBeVisible()
}

const checkTabletScreen = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(tablet)
}

test('Thirty files are uploaded over an interrupted connection and matched to subjects', async ({
  page,
  site,
  pageErrors,
}) => {
  // The server decodes thirty images and makes their variants.
  test.setTimeout(300_000)
  await logIn(page)
  const files = await makeShootFiles()

  await test.step('Uploads continue while staff use another screen, and resume after interruptions', async () => {
    site.proxy.setFaultPlan(
      faultsInOrder(
        [...repeated(4, 'cut-request'), 'refuse', 'cut-answer', ...repeated(3, 'cut-request')],
        /^PATCH .*upload-bytes/,
      ),
    )
    await page.getByRole('combobox', { name: 'Match images' }).selectOption('By file name')
    await page.getByLabel('Images to upload').setInputFiles(files)
    const queue = page.getByRole('region', { name: 'Files being uploaded' })
    await expect(queue).toBeVisible()
    await queue.getByRole('button', { name: 'Pause all' }).click()
    await expect(queue.getByText('Paused').first()).toBeVisible()
    await checkTabletScreen(page, '80-uploads')
    await queue.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByRole('link', { name: 'Packages' }).first().click()
    await expect(queue).toBeHidden()
    await page.goBack()
    await expect(queue.getByRole('status')).toHaveText('28 of 30 files done, 2 rejected', { timeout: 180_000 })
    await expect(queue.getByText('This image is damaged or incomplete.')).toBeVisible()
    await expect(queue.getByText('This is an SVG file.')).toBeVisible()
    await queue.getByRole('button', { name: 'Clear the list' }).click()
    await expect(queue).toBeHidden()
  })

  await test.step('Rejected files are counted and listed with the reason', async () => {
    const tab = page.getByRole('tab', { name: /^Rejected/ })
    await expect(tab).toContainText('2')
    await tab.click()
    const list = page.getByRole('list', { name: 'Rejected files' })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list).toContainText('This image is damaged or incomplete.')
    await expect(list).toContainText('This is an SVG file.')
    await checkTabletScreen(page, '80-not-taken')
  })

  await test.step('Files that are uploaded again are accepted as duplicates', async () => {
    await page.getByLabel('Images to upload').setInputFiles(files.slice(0, 3))
    const queue = page.getByRole('region', { name: 'Files being uploaded' })
    await expect(queue.getByRole('status')).toHaveText('3 of 3 files done')
    await queue.getByRole('button', { name: 'Clear the list' }).click()
  })

  await test.step('Unmatched images are assigned to a subject by keyboard', async () => {
    await page.getByRole('tab', { name: /^To match/ }).click()
    await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('4')
    await expect(page.getByRole('list', { name: 'Images' }).getByRole('img')).toHaveCount(0)
    await page.getByRole('button', { name: 'Select IMG_9024.jpg' }).tap()
    await page.getByRole('button', { name: 'Select IMG_9025.jpg' }).tap()
    const subjectField = page.getByRole('combobox', { name: 'Move to' })
    await subjectField.fill(players[2]?.lastName ?? '')
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    await checkTabletScreen(page, '81-match')
    await subjectField.press('ArrowDown')
    await subjectField.press('ArrowUp')
    await subjectField.press('Enter')
    await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('2')
  })

  await test.step('A cut-out is reviewed and accepted', async () => {
    await page.getByRole('tab', { name: /^Cut-outs/ }).click()
    const review = page.getByRole('region', { name: /^Cut-out of .* green\.jpg/ })
    await expect(review.getByRole('img', { name: /cut out$/ })).toBeVisible({ timeout: 60_000 })
    await checkTabletScreen(page, '82-cut-outs')
    await review.getByRole('button', { name: 'Use the cut-out' }).click()
    await expect(review).toBeHidden()
  })

  await test.step('An image is replaced, assigned, withdrawn and published', async () => {
    await page.getByRole('tab', { name: /^To match/ }).click()
    await page.getByRole('button', { name: /^Open IMG_9026\.jpg/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img')).toBeVisible()
    await dialog.getByRole('button', { name: 'Check usage' }).click()
    await expect(dialog.getByText('Not used in any cart or order.')).toBeVisible()
    await checkTabletScreen(page, '83-image')
    await dialog.getByLabel('Replacement image').setInputFiles(await makeImage('retouched.jpg', 40))
    await expect(dialog.getByRole('heading', { name: 'retouched.jpg' })).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Whose image is it?' }).fill(players[3]?.firstName ?? '')
    await dialog.getByRole('listbox').getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: /^To publish/ }).click()
    const publishAll = page.getByRole('button', { name: /^Publish all/ })
    const count = /\d+/.exec((await publishAll.textContent()) ?? '')?.[0]
    const confirmPublishAll = async () => {
      await publishAll.click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: `Publish ${count}`, exact: true })
        .click()
      await expect(page.getByText('No images here')).toBeVisible()
    }
    await confirmPublishAll()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(publishAll).toHaveText(`Publish all ${count}`)
    await confirmPublishAll()
    // A withdrawn image is published only when staff choose it.
    await page.getByRole('tab', { name: /^Withdrawn/ }).click()
    await expect(page.getByText('Withdrawn', { exact: true })).toHaveCount(1)
    await checkTabletScreen(page, '84-withdrawn')
    await page.getByRole('button', { name: 'Select retouched.jpg' }).tap()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Publish' }).tap()
    await expect(page.getByText('No images here')).toBeVisible()
    await page.getByRole('tab', { name: /^All/ }).click()
    await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem').first()).toBeVisible()
    await checkTabletScreen(page, '84-images')
  })
  // The connection was cut on purpose.
  allowPageErrors(pageErrors, /upload-bytes|net::ERR/)
})

test('Images of a subject are reordered, and several are replaced at once by file name', async ({ page }) => {
  await signIn(page, { at: '/admin/studios/1/jobs/1/subjects' })
  await page.goto('/admin/studios/1/jobs/1/subjects?filter=lovelace')
  const ada = await page
    .getByRole('link', { name: /Lovelace/ })
    .first()
    .getAttribute('href')
  await page.goto(`/admin/studios/1/jobs/1/images?subjectId=${ada?.split('/').at(-1)}`)
  const tiles = page.getByRole('list', { name: 'Images' }).getByRole('button', { name: /^Select / })
  await expect(tiles.nth(1)).toBeVisible()
  const readNames = async () =>
    (await Promise.all((await tiles.all()).map((tile) => tile.getAttribute('aria-label')))).map((text) =>
      text?.slice(7),
    )
  const [first = '', second = '', ...others] = await readNames()
  const selectionBar = page.getByRole('region', { name: 'Selection' })

  await test.step('The first image moves to the second position', async () => {
    await tiles.first().tap()
    await expect(selectionBar.getByRole('button', { name: 'Earlier' })).toBeDisabled()
    await selectionBar.getByRole('button', { name: 'Later' }).tap()
    await expect.poll(readNames).toEqual([second, first, ...others])
    await checkTabletScreen(page, '85-order-images')
  })

  await test.step('Files replace the selected images that have the same name', async () => {
    await tiles.nth(0).tap()
    const files = [await makeImage(first, 51), await makeImage(second, 52), await makeImage('somebody else.jpg', 53)]
    await selectionBar.getByLabel('Replacement images').setInputFiles(files)
    const confirmation = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(confirmation).toContainText('No selected image is named like somebody else.jpg.')
    await confirmation.getByRole('button', { name: 'Replace', exact: true }).tap()
    await expect(page.getByText('2 images replaced').last()).toBeVisible()
    await expect(selectionBar).toBeHidden()
    await expect.poll(async () => (await readNames()).toSorted()).toEqual([first, second, ...others].toSorted())
  })
})
