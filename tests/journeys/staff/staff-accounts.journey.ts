import type { BrowserContext, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { test as base, expect } from '#support/journeys/journey-test.ts'
import { copyDemoData } from '#support/product/demo-data.ts'
import { startProduct } from '#support/product/start-product.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'

type Post = Awaited<ReturnType<typeof smtpSink>>

/** A product with an SMTP server. */
const test = base.extend<object, { post: Post }>({
  post: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads a fixture's needs from this pattern
    async ({}, use) => {
      const post = await smtpSink()
      await use(post)
      await post.close()
    },
    { scope: 'worker' },
  ],
  // No other file uses this worker, so one product is enough.
  productOf: [
    async ({ post }, use) => {
      const { dataDir, remove } = await copyDemoData()
      const env = { MAIL: 'smtp', SMTP_URL: post.url, MAIL_FROM: 'Fieldproof <hello@fieldproof.test>' }
      const product = await startProduct({ dataDir, env })
      await use(async () => product)
      await product.stop()
      await remove()
      expect(product.errors()).toEqual([])
    },
    { scope: 'worker' },
  ],
})

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const demoPassword = 'fieldproof-demo'
const newPassword = 'a riverside in spring'

/** The path of the link in the newest mail to this address, once it has arrived. */
const linkTo = async ({ delivered }: Post, email: string): Promise<string> => {
  const letters = () => delivered.filter(({ to }) => to.includes(email))
  await expect.poll(() => letters().length, { message: `a letter to ${email}` }).toBeGreaterThan(0)
  const plain = letters().at(-1)?.raw.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
  const { pathname, search } = new URL(/http\S+token=[\w-]+/.exec(plain)?.[0] ?? '')
  return pathname + search
}

const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

const choose = async (page: Page, password: string, label = 'Password') => {
  await page.getByLabel(label, { exact: true }).fill(password)
  await page.getByLabel(`${label}, once more`).fill(password)
}

const logIn = async (page: Page, email: string, password: string) => {
  await field(page, 'Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const tokens = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('authToken'), localStorage.getItem('refreshToken')])

/** Advances this device's clock by a quarter of an hour. */
const outlive = (page: Page) =>
  page.evaluate(() => {
    const [head, middle = '', tail] = (localStorage.getItem('authToken') ?? '').split('.')
    const claims = { ...JSON.parse(atob(middle.replace(/-/g, '+').replace(/_/g, '/'))), exp: 1 }
    localStorage.setItem('authToken', [head, btoa(JSON.stringify(claims)), tail].join('.'))
  })

const staffOf = (studioId: string) => `/admin/studios/${studioId}/settings/staff`
const addressOf = (page: Page) => new URL(page.url())

test('An owner gets back in by mail, comes back to where the session ended, and says who works there', async ({
  page,
  context,
  browser,
  post,
}) => {
  await test.step('a wrong password, and a link to choose another', async () => {
    await page.goto('/account')
    await expect(heading(page, 'Studio Login')).toBeVisible()
    expect(addressOf(page).search).toBe('?ret=%2Faccount')
    await logIn(page, 'owner@riverside.test', 'not it')
    await expect(page.getByText('Failed to authenticate')).toBeVisible()
    await checkStaffScreen(page, '201-login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(heading(page, 'Forgot your password?')).toBeVisible()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(field(page, 'Email')).toHaveAccessibleDescription('This value is not a valid email address')
    await field(page, 'Email').fill('owner@riverside.test')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText('Please look into your mail')).toBeVisible()
    await checkStaffScreen(page, '202-forgot-password')
  })

  await test.step('the link of the mail, once', async () => {
    const link = await linkTo(post, 'owner@riverside.test')
    await page.goto(`/account${link}`)
    await expect(heading(page, 'Choose a new password')).toBeVisible()
    expect(addressOf(page).pathname).toBe('/reset-password')
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('Please use at least 10 characters')).toBeVisible()
    await expect(page.getByText("This value doesn't match")).toBeVisible()
    await checkStaffScreen(page, '203-reset-password')
    await choose(page, newPassword, 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(heading(page, 'Studio Login')).toBeVisible()
    await expect(page.getByText('Your password was changed. Log in with the new one').first()).toBeVisible()
    await page.goto(link)
    await choose(page, newPassword.toUpperCase(), 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('This link was used already. Please ask for a new one')).toBeVisible()
    await page.goto('/login?ret=%2Faccount')
    await logIn(page, 'owner@riverside.test', newPassword)
    await expect(heading(page, 'June Calloway')).toBeVisible()
  })

  const studioId = await test.step('where the studio’s staff is listed', async () => {
    const start = await page.getByRole('link', { name: 'To the studio' }).getAttribute('href')
    const id = start?.split('/').at(-1) ?? ''
    await page.goto(staffOf(id))
    await expect(heading(page, 'Staff')).toBeVisible()
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
    return id
  })
  const sought = `${staffOf(studioId)}?filter=marcus`

  await test.step('a session that ended sends to the login, and back to where they were', async () => {
    await page.evaluate(() => localStorage.setItem('refreshToken', 'of somebody else’s time'))
    await outlive(page)
    await page.goto(sought)
    await expect(page.getByText('Session expired. Please log in again.')).toBeVisible()
    expect(Object.fromEntries(addressOf(page).searchParams)).toEqual({ ret: sought, expired: '1' })
    expect(await tokens(page)).toEqual([null, null])
    await logIn(page, 'owner@riverside.test', newPassword)
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /June Calloway/ })).toHaveCount(0)
    expect(addressOf(page).pathname + addressOf(page).search).toBe(sought)
  })

  await test.step('five tabs at once ask for one new token', () => fiveTabs(page, context))

  await test.step('without the access token the refresh token is enough', async () => {
    await page.evaluate(() => localStorage.removeItem('authToken'))
    await page.goto(staffOf(studioId))
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
  })

  await test.step('somebody is invited', async () => {
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Ira Levin')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('staff@riverside.test')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect(dialog.getByText('They work here already')).toBeVisible()
    await checkStaffScreen(page, '204-invite')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('ira@riverside.test')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('listitem').filter({ hasText: 'ira@riverside.test' })).toBeVisible()
    await checkStaffScreen(page, '205-invited')
  })

  const theirs = await browser.newContext()
  const ira = await theirs.newPage()
  await test.step('they join, and see no list of staff', async () => {
    await ira.goto(new URL(await linkTo(post, 'ira@riverside.test'), page.url()).href)
    await expect(heading(ira, 'Work with Riverside Portraits')).toBeVisible()
    await expect(field(ira, 'Your name')).toHaveValue('Ira Levin')
    await checkStaffScreen(ira, '206-accept')
    await choose(ira, 'somewhere over the rainbow')
    await ira.getByRole('button', { name: 'Join Riverside Portraits' }).click()
    await expect(ira).toHaveURL(new RegExp(`/admin/studios/${studioId}$`))
    await ira.goto(new URL(staffOf(studioId), page.url()).href)
    await expect(ira).toHaveURL(new RegExp(`/admin/studios/${studioId}$`))
  })

  await test.step('they are removed, and signed out at the next refresh', async () => {
    await page.goto(staffOf(studioId))
    await page.getByRole('button', { name: 'Ira Levin' }).click()
    await checkStaffScreen(page, '207-user')
    await page.getByRole('button', { name: 'Remove from the studio' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('row', { name: /Ira Levin/ })).toHaveCount(0)
    await ira.goto(new URL('/account', page.url()).href)
    await expect(ira.getByText('Session expired. Please log in again.')).toBeVisible()
    expect(await tokens(ira)).toEqual([null, null])
    await theirs.close()
  })

  await test.step('signing out leaves nothing', async () => {
    await page.goto('/logout')
    await expect(heading(page, 'You are signed out')).toBeVisible()
    await checkStaffScreen(page, '208-logout')
    expect(await tokens(page)).toEqual([null, null])
  })
})

/** Wakes five tabs with an expired access token at the same time. */
const fiveTabs = async (page: Page, context: BrowserContext) => {
  const refreshes: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) refreshes.push(request.method())
  })
  await page.goto('/account')
  await expect(heading(page, 'June Calloway')).toBeVisible()
  const others = await Promise.all([1, 2, 3, 4].map(() => context.newPage()))
  await outlive(page)
  const [, before] = await tokens(page)
  const tabs = [page, ...others]
  await Promise.all(tabs.map((tab) => tab.goto('/account')))
  for (const tab of tabs) await expect(tab.getByRole('definition').filter({ hasText: 'owner@' })).toBeVisible()
  expect(refreshes).toEqual(['POST'])
  const [, after] = await tokens(page)
  expect(after).not.toBe(before)
  for (const tab of others) await tab.close()
}

test('A studio begins by itself, and its owner has it as they like it', async ({ page }) => {
  await page.goto('/account/setup/NL-7')
  await expect(heading(page, 'Set up your studio')).toBeVisible()
  expect(addressOf(page).pathname).toBe('/setup/NL-7')
  await expect(field(page, 'Account number (optional)')).toHaveValue('NL-7')
  await test.step('what is wrong is told at its field', async () => {
    const address = field(page, 'Your page’s address')
    await field(page, 'Studio name').fill('Northlight Photo')
    await expect(address).toHaveValue('northlight-photo')
    await expect(page.getByText('This address is free.')).toBeVisible()
    await address.fill('riverside')
    await expect(page.getByText('This address is taken. Please choose another')).toBeVisible()
    await address.fill('northlight')
    await field(page, 'Your name').fill('Nora Light')
    await field(page, 'Email').fill('owner@summit.test')
    await choose(page, newPassword)
    await checkStaffScreen(page, '211-setup')
    await page.getByRole('button', { name: 'Set up my studio' }).click()
    await expect(field(page, 'Email')).toHaveAccessibleDescription(/Somebody already signs in with this address/)
    await checkStaffScreen(page, '212-setup-refused')
  })
  await test.step('and it leads into the studio', async () => {
    await field(page, 'Email').fill('nora@northlight.test')
    await page.getByRole('button', { name: 'Set up my studio' }).click()
    await expect(page).toHaveURL(/\/admin\/studios\/\d+$/)
  })
  await test.step('dark at once, and on the next visit', async () => {
    await page.goto('/account')
    await expect(heading(page, 'Nora Light')).toBeVisible()
    await page.getByRole('radio', { name: /Dark/ }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await field(page, 'Images in a row')
      .or(page.getByRole('spinbutton', { name: 'Images in a row' }))
      .fill('13')
    const form = page.locator('form').filter({ hasText: 'Images in a row' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('This value must be at most 12')).toBeVisible()
    await page.getByRole('spinbutton', { name: 'Images in a row' }).fill('4')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Saved', { exact: true })).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('theme'))
    await page.goto('/account')
    await expect(page.getByRole('spinbutton', { name: 'Images in a row' })).toHaveValue('4')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('radio', { name: /Like this device/ }).check()
    await checkStaffScreen(page, '213-account')
  })
  await test.step('another password, for who knows the one they have', async () => {
    await page.getByLabel('Current password').fill(demoPassword)
    await choose(page, 'something else altogether', 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('This is not your password')).toBeVisible()
    await page.getByLabel('Current password').fill(newPassword)
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('Your password was changed. Other devices are signed out').first()).toBeVisible()
  })
})
