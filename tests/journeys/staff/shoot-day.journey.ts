import type { Page } from 'playwright/test'
import { chromiumArguments, findChromium } from '#support/browser/chromium.ts'
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
  launchOptions: { executablePath: findChromium(), args: [...chromiumArguments, ...camera] },
})

const person = (page: Page) => page.getByRole('region', { name: 'Who stands here' })
const last = (page: Page) => page.getByRole('region', { name: 'Last' })
const find = async (page: Page, typed: string) => {
  await page.getByRole('searchbox', { name: 'Card, code or name' }).fill(typed)
  await page.keyboard.press('Enter')
}
const left = async (page: Page): Promise<number> =>
  Number(await page.getByRole('region', { name: 'Progress' }).getByRole('strong').textContent())

test('A shoot on a tablet: cards, codes, names, a walk-up, and a network that blinks', async ({
  page,
  context,
  pageErrors,
}) => {
  await signIn(page, { at: '/admin/studios/1/jobs/1/shoot' })
  await expect(page.getByRole('heading', { level: 1, name: 'Shoot day' })).toBeVisible()
  const all = await left(page)
  expect(all).toBeGreaterThan(8)

  await test.step('a card before the camera checks in, and not twice', async () => {
    await page.getByRole('button', { name: 'Scan' }).click()
    await expect(person(page)).toContainText('Ada Lovelace')
    await expect(person(page)).toContainText('Checked in')
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Scan' }).click()
    await expect(page.getByText('Ada was checked in before')).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => left(page)).toBe(all - 1)
    await expect(last(page).getByRole('button')).toHaveCount(1)
  })

  await test.step('taken back, and checked in by the code that a hand scanner types', async () => {
    await person(page).getByRole('button', { name: 'Undo' }).click()
    await expect(person(page)).toContainText('Not yet')
    await expect.poll(() => left(page)).toBe(all)
    await find(page, 'ADALVL')
    await expect(person(page)).toContainText('Checked in')
    await person(page).getByRole('textbox', { name: 'First frame' }).fill('0421')
    await person(page).getByRole('textbox', { name: 'Note' }).fill('glasses off')
    await person(page).getByRole('textbox', { name: 'Note' }).blur()
    await checkStaffScreen(page, '60-shoot')
    await page.setViewportSize(tablet)
  })

  await test.step('comes again, and is left until then', async () => {
    await person(page).getByRole('button', { name: 'Retake later' }).click()
    await expect(person(page)).toContainText('Comes again')
    await expect.poll(() => left(page)).toBe(all)
  })

  await test.step('found by name, absent', async () => {
    await page.getByRole('searchbox', { name: 'Card, code or name' }).fill('lo')
    const found = page.getByRole('region', { name: 'Found' })
    await found.getByRole('button').nth(1).click()
    await person(page).getByRole('button', { name: 'Absent' }).click()
    await expect(person(page)).toContainText('Absent')
    await expect.poll(() => left(page)).toBe(all - 1)
  })

  await test.step('a spare card is a walk-up’s', async () => {
    await find(page, 'SPARE77')
    await expect(page.getByText('Nobody of this job has the code SPARE77')).toBeVisible()
    await page.getByRole('button', { name: 'Walk-up with this card' }).click()
    const dialog = page.getByRole('dialog', { name: 'Walk-up' })
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(dialog.getByText('This field is required')).toHaveCount(2)
    await checkStaffScreen(page, '61-walk-up')
    await page.setViewportSize(tablet)
    await dialog.getByRole('textbox', { name: 'First name' }).fill('Eve')
    await dialog.getByRole('textbox', { name: 'Last name' }).fill('Young')
    const walkUps = /\/shoot\/walk-ups/
    const slow = Promise.withResolvers<void>()
    await context.route(walkUps, async (route) => {
      await slow.promise
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Check in' }).click()
    await expect(person(page)).toContainText('Eve Young')
    await expect(last(page)).toContainText('SPARE77')
    // The next subject is opened before the server has responded, and stays open when it does.
    await last(page).getByRole('button').nth(1).click()
    await expect(person(page)).toContainText('Absent')
    slow.resolve()
    await expect(page.getByText(/not sent yet/i)).toHaveCount(0)
    await expect(person(page)).toContainText('Absent')
    await expect(person(page)).not.toContainText('Eve Young')
    await context.unroute(walkUps)
  })

  await test.step('what the network loses is kept, outlives a reload, and is sent once it is back', async () => {
    await context.setOffline(true)
    await find(page, 'ADALVL')
    await expect(person(page)).toContainText('Not sent yet')
    await expect(page.getByText('1 is not sent yet, and kept on this tablet: Ada Lovelace')).toBeVisible()
    await checkStaffScreen(page, '62-shoot-offline')
    await page.setViewportSize(tablet)
    await context.setOffline(false)
    await expect(page.getByText(/not sent yet/i)).toHaveCount(0)
    await page.reload()
    await expect(last(page).getByRole('button').first()).toContainText('Ada Lovelace')
    await expect(last(page).getByRole('button').first()).toContainText('Checked in')
    allowPageErrors(pageErrors, /ERR_INTERNET_DISCONNECTED/)
  })
})

test('Check-ins without a network survive a closed tab and a sign-out, and go with the next sign-in of the studio', async ({
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
        const kept = await (await caches.open('assets-v1')).keys()
        return kept.filter(({ url }) => url.includes('shoot')).length
      }),
    )
    .toBeGreaterThan(1)
  const before = await left(page)

  await context.setOffline(true)
  await find(page, 'a')
  await page.getByRole('region', { name: 'Found' }).getByRole('button').filter({ hasText: 'Not yet' }).first().click()
  await person(page).getByRole('button', { name: 'Check in', exact: true }).click()
  await expect(person(page)).toContainText('Not sent yet')
  await page.getByRole('button', { name: 'Walk-up', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Walk-up' })
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Nora')
  await dialog.getByRole('textbox', { name: 'Last name' }).fill('Offline')
  await dialog.getByRole('button', { name: 'Check in' }).click()
  await expect(person(page)).toContainText('Nora Offline')
  await expect(page.getByText(/^2 are not sent yet/)).toBeVisible()

  const reopened = await test.step('the list opens without a network in a new tab', async () => {
    await page.close()
    const next = await context.newPage()
    await next.goto(shoot)
    await expect(next.getByText(/^2 are not sent yet.*Nora Offline/)).toBeVisible()
    expect(await left(next)).toBe(before - 1)
    await expect(last(next)).toContainText('Nora Offline')
    return next
  })

  await test.step('signing out says how many are not sent', async () => {
    await reopened.goto('/logout')
    await expect(reopened.getByRole('heading', { name: '2 check-ins are not sent yet' })).toBeVisible()
    await reopened.getByRole('button', { name: 'Sign out' }).click()
    await expect(reopened.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  })

  await test.step('staff of another studio neither see nor send them', async () => {
    await context.setOffline(false)
    const marks: string[] = []
    reopened.on('request', (request) => {
      if (/\/shoot\/(marks|walk-ups)/.test(request.url())) marks.push(request.url())
    })
    await signIn(reopened, { email: 'owner@summit.test', at: '/admin/studios/2/profile' })
    await reopened.goto('/logout')
    await expect(reopened.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    expect(marks).toEqual([])
  })

  await test.step('the next sign-in of the studio sends them', async () => {
    const sent = reopened.waitForResponse((answer) => answer.url().endsWith('/shoot/walk-ups') && answer.ok())
    await signIn(reopened, { at: '/admin/studios/1' })
    await sent
    await reopened.goto(shoot)
    await expect(last(reopened)).toContainText('Nora Offline')
    await expect(reopened.getByText(/not sent yet/i)).toHaveCount(0)
  })
  allowPageErrors(pageErrors, /ERR_INTERNET_DISCONNECTED/)
})
