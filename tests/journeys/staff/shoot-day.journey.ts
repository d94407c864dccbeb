import type { Page } from 'playwright/test'
import { chromiumArguments, findHeadlessShell } from '#support/browser/chromium.ts'
import { fakeCameraVideo } from '#support/browser/fake-camera-video.ts'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { allowPageErrors, expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

const tablet = { width: 768, height: 1024 }
// The tablet's camera shows Ada Lovelace's card.
const camera = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${fakeCameraVideo('https://fieldproof.test/riverside/code/ADALVL')}`,
]
test.use({
  viewport: tablet,
  isMobile: false,
  permissions: ['camera'],
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: { executablePath: findHeadlessShell(), args: [...chromiumArguments, ...camera] },
})

const currentSubject = (page: Page) => page.getByRole('region', { name: 'Current subject' })
const recentCheckIns = (page: Page) => page.getByRole('region', { name: 'Last' })
const findSubject = async (page: Page, typed: string) => {
  await page.getByRole('searchbox', { name: 'Card, code or name' }).fill(typed)
  await page.keyboard.press('Enter')
}
const readRemaining = async (page: Page): Promise<number> =>
  Number(await page.getByRole('region', { name: 'Progress' }).getByRole('strong').textContent())

test('A shoot on a tablet works with cards, codes, names, a walk-up, and an unstable network', async ({
  page,
  context,
  pageErrors,
}) => {
  await signIn(page, { at: '/admin/studios/1/jobs/1/shoot' })
  await expect(page.getByRole('heading', { level: 1, name: 'Shoot day' })).toBeVisible()
  const subjectCount = await readRemaining(page)
  expect(subjectCount).toBeGreaterThan(8)

  await test.step('A scanned card checks in its subject, once', async () => {
    await page.getByRole('button', { name: 'Scan' }).click()
    await expect(currentSubject(page)).toContainText('Ada Lovelace')
    await expect(currentSubject(page)).toContainText('Checked in')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Scan' }).click()
    await expect(page.getByText('Ada was checked in before')).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => readRemaining(page)).toBe(subjectCount - 1)
    await expect(recentCheckIns(page).getByRole('button')).toHaveCount(1)
  })

  await test.step('The check-in is undone, and repeated by a hand scanner’s code', async () => {
    await currentSubject(page).getByRole('button', { name: 'Undo' }).click()
    await expect(currentSubject(page)).toContainText('Not checked in')
    await expect.poll(() => readRemaining(page)).toBe(subjectCount)
    await findSubject(page, 'ADALVL')
    await expect(currentSubject(page)).toContainText('Checked in')
    await currentSubject(page).getByRole('textbox', { name: 'First frame' }).fill('0421')
    await currentSubject(page).getByRole('textbox', { name: 'Note' }).fill('glasses off')
    await currentSubject(page).getByRole('textbox', { name: 'Note' }).blur()
    await checkStaffScreen(page, '60-shoot')
    await page.setViewportSize(tablet)
  })

  await test.step('A subject marked for a retake counts as remaining', async () => {
    await currentSubject(page).getByRole('button', { name: 'Retake later' }).click()
    await expect(currentSubject(page)).toContainText('Retake')
    await expect.poll(() => readRemaining(page)).toBe(subjectCount)
  })

  await test.step('A subject found by name is marked absent', async () => {
    await page.getByRole('searchbox', { name: 'Card, code or name' }).fill('lo')
    const results = page.getByRole('region', { name: 'Found' })
    await results.getByRole('button').nth(1).click()
    await currentSubject(page).getByRole('button', { name: 'Absent' }).click()
    await expect(currentSubject(page)).toContainText('Absent')
    await expect.poll(() => readRemaining(page)).toBe(subjectCount - 1)
  })

  await test.step('A spare card checks in a walk-up', async () => {
    await findSubject(page, 'SPARE77')
    await expect(page.getByText('No one in this job has the code SPARE77')).toBeVisible()
    await page.getByRole('button', { name: 'Walk-up with this card' }).click()
    const dialog = page.getByRole('dialog', { name: 'Walk-up' })
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(dialog.getByText('This field is required')).toHaveCount(2)
    await checkStaffScreen(page, '61-walk-up')
    await page.setViewportSize(tablet)
    await dialog.getByRole('textbox', { name: 'First name' }).fill('Eve')
    await dialog.getByRole('textbox', { name: 'Last name' }).fill('Young')
    const walkUps = /\/shoot\/walk-ups/
    const response = Promise.withResolvers<void>()
    await context.route(walkUps, async (route) => {
      await response.promise
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(currentSubject(page)).toContainText('Eve Young')
    await expect(recentCheckIns(page)).toContainText('SPARE77')
    // The next subject is opened before the server has responded, and stays open when it does.
    await recentCheckIns(page).getByRole('button').nth(1).click()
    await expect(currentSubject(page)).toContainText('Absent')
    response.resolve()
    await expect(page.getByText(/not sent yet/i)).toHaveCount(0)
    await expect(currentSubject(page)).toContainText('Absent')
    await expect(currentSubject(page)).not.toContainText('Eve Young')
    await context.unroute(walkUps)
  })

  await test.step('An offline check-in is stored, and sent once the network is back', async () => {
    await context.setOffline(true)
    await findSubject(page, 'ADALVL')
    await expect(currentSubject(page)).toContainText('Not sent yet')
    await expect(page.getByText('1 is not sent yet, but saved on this tablet: Ada Lovelace')).toBeVisible()
    await checkStaffScreen(page, '62-shoot-offline')
    await page.setViewportSize(tablet)
    await context.setOffline(false)
    await expect(page.getByText(/not sent yet/i)).toHaveCount(0)
    await page.reload()
    await expect(recentCheckIns(page).getByRole('button').first()).toContainText('Ada Lovelace')
    await expect(recentCheckIns(page).getByRole('button').first()).toContainText('Checked in')
    allowPageErrors(pageErrors, /ERR_INTERNET_DISCONNECTED/)
  })
})

test('Offline check-ins survive a closed tab and a sign-out, and are sent at the studio’s next sign-in', async ({
  page,
  context,
  pageErrors,
}) => {
  const shoot = '/admin/studios/1/jobs/1/shoot'
  await signIn(page, { at: shoot })
  await expect(page.getByRole('heading', { level: 1, name: 'Shoot day' })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const cachedRequests = await (await caches.open('assets-v1')).keys()
        return cachedRequests.filter(({ url }) => url.includes('shoot')).length
      }),
    )
    .toBeGreaterThan(1)
  const remainingBefore = await readRemaining(page)

  await context.setOffline(true)
  await findSubject(page, 'a')
  await page
    .getByRole('region', { name: 'Found' })
    .getByRole('button')
    .filter({ hasText: 'Not checked in' })
    .first()
    .click()
  await currentSubject(page).getByRole('button', { name: 'Check in', exact: true }).click()
  await expect(currentSubject(page)).toContainText('Not sent yet')
  await page.getByRole('button', { name: 'Walk-up', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Walk-up' })
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Nora')
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Offline')
  await dialog.getByRole('button', { name: 'Check in' }).click()
  await expect(currentSubject(page)).toContainText('Nora Offline')
  await expect(page.getByText(/^2 are not sent yet/)).toBeVisible()

  const reopenedPage = await test.step('The screen opens offline in a new tab', async () => {
    await page.close()
    const newPage = await context.newPage()
    await newPage.goto(shoot)
    await expect(newPage.getByText(/^2 are not sent yet.*Nora Offline/)).toBeVisible()
    expect(await readRemaining(newPage)).toBe(remainingBefore - 1)
    await expect(recentCheckIns(newPage)).toContainText('Nora Offline')
    return newPage
  })

  await test.step('Signing out shows the number of unsent check-ins', async () => {
    await reopenedPage.goto('/logout')
    await expect(reopenedPage.getByRole('heading', { name: '2 check-ins are not sent yet' })).toBeVisible()
    await reopenedPage.getByRole('button', { name: 'Sign out' }).click()
    await expect(reopenedPage.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  })

  await test.step('Staff of another studio do not send the check-ins', async () => {
    await context.setOffline(false)
    const checkInUrls: string[] = []
    reopenedPage.on('request', (request) => {
      if (/\/shoot\/(marks|walk-ups)/.test(request.url())) checkInUrls.push(request.url())
    })
    await signIn(reopenedPage, { email: 'owner@summit.test', at: '/admin/studios/2/profile' })
    await reopenedPage.goto('/logout')
    await expect(reopenedPage.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    expect(checkInUrls).toEqual([])
  })

  await test.step('The next sign-in of the studio sends the check-ins', async () => {
    const walkUpSent = reopenedPage.waitForResponse(
      (response) => response.url().endsWith('/shoot/walk-ups') && response.ok(),
    )
    await signIn(reopenedPage, { at: '/admin/studios/1' })
    await walkUpSent
    await reopenedPage.goto(shoot)
    await expect(recentCheckIns(reopenedPage)).toContainText('Nora Offline')
    await expect(reopenedPage.getByText(/not sent yet/i)).toHaveCount(0)
  })
  allowPageErrors(pageErrors, /ERR_INTERNET_DISCONNECTED/)
})
