import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { players } from '#server/demo/seed-subjects.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { allowPageErrors, expect } from '#support/journeys/journey-test.ts'
import { test } from '#support/journeys/proxied-journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { faultsInOrder, repeated } from '#support/network/fault-plans.ts'

type Sent = { name: string; mimeType: string; buffer: Buffer }

const screen = { width: 1024, height: 768 }
test.use({ actionTimeout: 20_000, viewport: screen, isMobile: false, hasTouch: true, deviceScaleFactor: 1 })

const rapids = '/admin/studios/1/jobs/3/images'

const photo = async (name: string, n: number): Promise<Sent> => {
  const noise = { type: 'gaussian' as const, mean: 100 + n * 3, sigma: 30 }
  const create = { width: 320, height: 400, channels: 3 as const, background: '#888', noise }
  const taken = `2027:04:01 09:${String(n).padStart(2, '0')}:00`
  const buffer = await sharp({ create })
    .withExif({ IFD2: { DateTimeOriginal: taken } })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

const beforeGreen = async (name: string): Promise<Sent> => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="800"><rect width="100%" height="100%" fill="#20b840"/>
    <circle cx="320" cy="330" r="150" fill="#c89678"/><path d="M90 800 Q320 300 550 800Z" fill="#334a9c"/></svg>`
  return { name, mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(drawing)).jpeg().toBuffer() }
}

/**
 * Thirty files of a shoot: most are named after players, four match no subject, one is a green screen, one is damaged, and one is no image.
 */
const filesOfShoot = async (): Promise<Sent[]> => {
  const named = await Promise.all(
    Array.from({ length: 23 }, (_, n) => {
      const player = players[n % players.length]
      return photo(`${player?.firstName} ${player?.lastName} ${n}.jpg`, n)
    }),
  )
  const nobodys = await Promise.all([24, 25, 26, 27].map((n) => photo(`IMG_90${n}.jpg`, n)))
  const [first] = players
  const whole = await photo('broken.jpg', 28)
  return [
    ...named,
    ...nobodys,
    await beforeGreen(`${first?.firstName} ${first?.lastName} green.jpg`),
    { ...whole, buffer: whole.buffer.subarray(0, whole.buffer.length / 2) },
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

const look = async (page: Page, name: string): Promise<void> => {
  await checkStaffScreen(page, name)
  await page.setViewportSize(screen)
}

test('Thirty files of a shoot arrive over a line that is cut, and become pictures of people', async ({
  page,
  site,
  pageErrors,
}) => {
  // Thirty images are decoded and their variants made meanwhile.
  test.setTimeout(300_000)
  await logIn(page)
  const files = await filesOfShoot()

  await test.step('they are sent while somebody is elsewhere, and go on where the line was cut', async () => {
    site.proxy.setFaultPlan(
      faultsInOrder(
        [...repeated(4, 'cut-request'), 'refuse', 'cut-answer', ...repeated(3, 'cut-request')],
        /^PATCH .*upload-bytes/,
      ),
    )
    await page.getByRole('combobox', { name: 'Find whose they are' }).selectOption('By file name')
    await page.getByLabel('Pictures to upload').setInputFiles(files)
    const queue = page.getByRole('region', { name: 'Files on their way' })
    await expect(queue).toBeVisible()
    await queue.getByRole('button', { name: 'Pause all' }).click()
    await expect(queue.getByText('Paused').first()).toBeVisible()
    await look(page, '80-uploads')
    await queue.getByRole('button', { name: 'Go on', exact: true }).click()
    await page.getByRole('link', { name: 'Packages' }).first().click()
    await expect(queue).toBeHidden()
    await page.goBack()
    await expect(queue.getByRole('status')).toHaveText('28 of 30 files done, 2 not taken', { timeout: 180_000 })
    await expect(queue.getByText('This picture is damaged or incomplete.')).toBeVisible()
    await expect(queue.getByText('This is a SVG file.')).toBeVisible()
    await queue.getByRole('button', { name: 'Clear the list' }).click()
    await expect(queue).toBeHidden()
  })

  await test.step('those not taken are counted and listed with the reason', async () => {
    const tab = page.getByRole('tab', { name: /^Not taken/ })
    await expect(tab).toContainText('2')
    await tab.click()
    const list = page.getByRole('list', { name: 'Files not taken' })
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await expect(list).toContainText('This picture is damaged or incomplete.')
    await expect(list).toContainText('This is a SVG file.')
    await look(page, '80-not-taken')
  })

  await test.step('the same files are one', async () => {
    await page.getByLabel('Pictures to upload').setInputFiles(files.slice(0, 3))
    const queue = page.getByRole('region', { name: 'Files on their way' })
    await expect(queue.getByRole('status')).toHaveText('3 of 3 files done')
    await queue.getByRole('button', { name: 'Clear the list' }).click()
  })

  await test.step('those of nobody wait, and are given to somebody by keyboard', async () => {
    await page.getByRole('tab', { name: /^To match/ }).click()
    await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('4')
    await expect(page.getByRole('list', { name: 'Pictures' }).getByRole('img')).toHaveCount(0)
    await page.getByRole('button', { name: 'Select IMG_9024.jpg' }).tap()
    await page.getByRole('button', { name: 'Select IMG_9025.jpg' }).tap()
    const seek = page.getByRole('combobox', { name: 'Give them to' })
    await seek.fill(players[2]?.lastName ?? '')
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    await look(page, '81-match')
    await seek.press('ArrowDown')
    await seek.press('ArrowUp')
    await seek.press('Enter')
    await expect(page.getByRole('tab', { name: /^To match/ })).toContainText('2')
  })

  await test.step('a cut-out is looked at and taken', async () => {
    await page.getByRole('tab', { name: /^Cut-outs/ }).click()
    const review = page.getByRole('region', { name: /^Cut-out of .* green\.jpg/ })
    await expect(review.getByRole('img', { name: /cut out$/ })).toBeVisible({ timeout: 60_000 })
    await look(page, '82-cut-outs')
    await review.getByRole('button', { name: 'Take the cut-out' }).click()
    await expect(review).toBeHidden()
  })

  await test.step('one is opened, replaced, moved, and put on show', async () => {
    await page.getByRole('tab', { name: /^To match/ }).click()
    await page.getByRole('button', { name: /^Open IMG_9026\.jpg/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('img')).toBeVisible()
    await dialog.getByRole('button', { name: 'Check usage' }).click()
    await expect(dialog.getByText('Nobody has it in a cart or an order.')).toBeVisible()
    await look(page, '83-image')
    await dialog.getByLabel('The picture that takes its place').setInputFiles(await photo('retouched.jpg', 40))
    await expect(dialog.getByRole('heading', { name: 'retouched.jpg' })).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Whose picture is it?' }).fill(players[3]?.firstName ?? '')
    await dialog.getByRole('listbox').getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: /^To publish/ }).click()
    const publishAll = page.getByRole('button', { name: /^Publish all/ })
    const count = /\d+/.exec((await publishAll.textContent()) ?? '')?.[0]
    const publish = async () => {
      await publishAll.click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: `Publish ${count}`, exact: true })
        .click()
      await expect(page.getByText('No pictures here')).toBeVisible()
    }
    await publish()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(publishAll).toHaveText(`Publish all ${count}`)
    await publish()
    // A withdrawn image is published only when staff choose it.
    await page.getByRole('tab', { name: /^Withdrawn/ }).click()
    await expect(page.getByText('Withdrawn', { exact: true })).toHaveCount(1)
    await look(page, '84-withdrawn')
    await page.getByRole('button', { name: 'Select retouched.jpg' }).tap()
    await page.getByRole('region', { name: 'What is selected' }).getByRole('button', { name: 'Publish' }).tap()
    await expect(page.getByText('No pictures here')).toBeVisible()
    await page.getByRole('tab', { name: /^All/ }).click()
    await expect(page.getByRole('list', { name: 'Pictures' }).getByRole('listitem').first()).toBeVisible()
    await look(page, '84-images')
  })
  // The connection was cut on purpose.
  allowPageErrors(pageErrors, /upload-bytes|net::ERR/)
})

test('Pictures of one person are put into another order, and several are replaced at once by their names', async ({
  page,
}) => {
  await signIn(page, { at: '/admin/studios/1/jobs/1/subjects' })
  await page.goto('/admin/studios/1/jobs/1/subjects?filter=lovelace')
  const ada = await page
    .getByRole('link', { name: /Lovelace/ })
    .first()
    .getAttribute('href')
  await page.goto(`/admin/studios/1/jobs/1/images?subjectId=${ada?.split('/').at(-1)}`)
  const tiles = page.getByRole('list', { name: 'Pictures' }).getByRole('button', { name: /^Select / })
  await expect(tiles.nth(1)).toBeVisible()
  const names = async () =>
    (await Promise.all((await tiles.all()).map((one) => one.getAttribute('aria-label')))).map((text) => text?.slice(7))
  const [first = '', second = '', ...others] = await names()
  const chosen = page.getByRole('region', { name: 'What is selected' })

  await test.step('the first becomes the second, as customers see them', async () => {
    await tiles.first().tap()
    await expect(chosen.getByRole('button', { name: 'Earlier' })).toBeDisabled()
    await chosen.getByRole('button', { name: 'Later' }).tap()
    await expect.poll(names).toEqual([second, first, ...others])
    await look(page, '85-order-images')
  })

  await test.step('files take the place of the selected pictures that are called so', async () => {
    await tiles.nth(0).tap()
    const files = [await photo(first, 51), await photo(second, 52), await photo('somebody else.jpg', 53)]
    await chosen.getByLabel('The pictures that take their place').setInputFiles(files)
    const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(question).toContainText('No selected picture is called like somebody else.jpg.')
    await question.getByRole('button', { name: 'Replace', exact: true }).tap()
    await expect(page.getByText('2 pictures replaced').last()).toBeVisible()
    await expect(chosen).toBeHidden()
    await expect.poll(async () => (await names()).toSorted()).toEqual([first, second, ...others].toSorted())
  })
})
