import type { BrowserContext, Page } from 'playwright/test'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect } from '#support/journeys/journey-test.ts'
import { type MailSink, testWithMail } from '#support/journeys/test-with-mail.ts'

const test = testWithMail()

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const demoPassword = 'fieldproof-demo'
const newPassword = 'a riverside in spring'

/** The path of the link in the newest mail to this address, once it has arrived. */
const readMailLink = async ({ delivered }: MailSink, email: string): Promise<string> => {
  const mails = () => delivered.filter(({ to }) => to.includes(email))
  await expect.poll(() => mails().length, { message: `a mail to ${email}` }).toBeGreaterThan(0)
  const text = mails().at(-1)?.raw.replace(/=\r\n/g, '').replace(/=3D/g, '=') ?? ''
  const { pathname, search } = new URL(/http\S+token=[\w-]+/.exec(text)?.[0] ?? '')
  return pathname + search
}

const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

const choosePassword = async (page: Page, password: string, label = 'Password') => {
  await page.getByLabel(label, { exact: true }).fill(password)
  await page.getByLabel(`${label} again`).fill(password)
}

const logIn = async (page: Page, email: string, password: string) => {
  await field(page, 'Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const readTokens = (page: Page) =>
  page.evaluate(() => [localStorage.getItem('authToken'), localStorage.getItem('refreshToken')])

/** Rewrites the stored access token as expired. */
const expireAccessToken = (page: Page) =>
  page.evaluate(() => {
    const [header, payload = '', signature] = (localStorage.getItem('authToken') ?? '').split('.')
    const claims = { ...JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))), exp: 1 }
    localStorage.setItem('authToken', [header, btoa(JSON.stringify(claims)), signature].join('.'))
  })

const staffListPath = (studioId: string) => `/admin/studios/${studioId}/settings/staff`
const urlOf = (page: Page) => new URL(page.url())

test('A studio’s owner signs in, sees their account, and signs out', async ({ page }) => {
  await page.goto('/account')
  await expect(page).toHaveURL('/login?ret=%2Faccount')
  await page.getByRole('textbox', { name: 'Email' }).fill('owner@riverside.test')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Failed to authenticate')).toBeVisible()

  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL('/account')
  await expect(page.getByText('owner@riverside.test')).toBeVisible()
  await page.reload()
  await expect(page.getByText('owner@riverside.test')).toBeVisible()

  await page.getByRole('link', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'Studio Login' })).toBeVisible()
})

test('An owner resets the password by email, returns to where the session ended, and manages staff', async ({
  page,
  context,
  browser,
  mailSink,
}) => {
  await test.step('After a wrong password the owner requests a reset link', async () => {
    await page.goto('/account')
    await expect(heading(page, 'Studio Login')).toBeVisible()
    expect(urlOf(page).search).toBe('?ret=%2Faccount')
    await logIn(page, 'owner@riverside.test', 'not it')
    await expect(page.getByText('Failed to authenticate')).toBeVisible()
    await checkStaffScreen(page, '201-login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(heading(page, 'Forgot your password?')).toBeVisible()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(field(page, 'Email')).toHaveAccessibleDescription('This value is not a valid email address')
    await field(page, 'Email').fill('owner@riverside.test')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText('Check your email')).toBeVisible()
    await checkStaffScreen(page, '202-forgot-password')
  })

  await test.step('The link in the mail resets the password once', async () => {
    const link = await readMailLink(mailSink, 'owner@riverside.test')
    await page.goto(`/account${link}`)
    await expect(heading(page, 'Choose a new password')).toBeVisible()
    expect(urlOf(page).pathname).toBe('/reset-password')
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('Please use at least 10 characters')).toBeVisible()
    await expect(page.getByText("This value doesn't match")).toBeVisible()
    await checkStaffScreen(page, '203-reset-password')
    await choosePassword(page, newPassword, 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(heading(page, 'Studio Login')).toBeVisible()
    await expect(page.getByText('Your password was changed. Log in with the new one').first()).toBeVisible()
    await page.goto(link)
    await choosePassword(page, newPassword.toUpperCase(), 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('This link was used already. Please ask for a new one')).toBeVisible()
    await page.goto('/login?ret=%2Faccount')
    await logIn(page, 'owner@riverside.test', newPassword)
    await expect(heading(page, 'June Calloway')).toBeVisible()
  })

  const studioId = await test.step('The owner opens the list of staff', async () => {
    const studioUrl = await page.getByRole('link', { name: 'Go to studio' }).getAttribute('href')
    const id = studioUrl?.split('/').at(-1) ?? ''
    await page.goto(staffListPath(id))
    await expect(heading(page, 'Staff')).toBeVisible()
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
    return id
  })
  const filteredListPath = `${staffListPath(studioId)}?filter=marcus`

  await test.step('After the session expires, signing in returns to the previous screen', async () => {
    await page.evaluate(() => localStorage.setItem('refreshToken', 'not-a-refresh-token'))
    await expireAccessToken(page)
    await page.goto(filteredListPath)
    await expect(page.getByText('Session expired. Please log in again.')).toBeVisible()
    expect(Object.fromEntries(urlOf(page).searchParams)).toEqual({ ret: filteredListPath, expired: '1' })
    expect(await readTokens(page)).toEqual([null, null])
    await logIn(page, 'owner@riverside.test', newPassword)
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /June Calloway/ })).toHaveCount(0)
    expect(urlOf(page).pathname + urlOf(page).search).toBe(filteredListPath)
  })

  await test.step('Five tabs together request one new token', () => expectOneRefresh(page, context))

  await test.step('Without an access token, the refresh token suffices', async () => {
    await page.evaluate(() => localStorage.removeItem('authToken'))
    await page.goto(staffListPath(studioId))
    await expect(page.getByRole('row', { name: /Marcus Webb/ })).toBeVisible()
  })

  await test.step('A staff member is invited', async () => {
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite someone' })
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

  const otherContext = await browser.newContext()
  const ira = await otherContext.newPage()
  await test.step('The invited staff member joins, and cannot open the list of staff', async () => {
    await ira.goto(new URL(await readMailLink(mailSink, 'ira@riverside.test'), page.url()).href)
    await expect(heading(ira, 'Work with Riverside Portraits')).toBeVisible()
    await expect(field(ira, 'Your name')).toHaveValue('Ira Levin')
    await checkStaffScreen(ira, '206-accept')
    await choosePassword(ira, 'somewhere over the rainbow')
    await ira.getByRole('button', { name: 'Join Riverside Portraits' }).click()
    await expect(ira).toHaveURL(new RegExp(`/admin/studios/${studioId}$`))
    await ira.goto(new URL(staffListPath(studioId), page.url()).href)
    await expect(ira).toHaveURL(new RegExp(`/admin/studios/${studioId}$`))
  })

  await test.step('A removed staff member is signed out at the next refresh', async () => {
    await page.goto(staffListPath(studioId))
    await page.getByRole('button', { name: 'Ira Levin' }).click()
    await checkStaffScreen(page, '207-user')
    await page.getByRole('button', { name: 'Remove from the studio' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('row', { name: /Ira Levin/ })).toHaveCount(0)
    await ira.goto(new URL('/account', page.url()).href)
    await expect(ira.getByText('Session expired. Please log in again.')).toBeVisible()
    expect(await readTokens(ira)).toEqual([null, null])
    await otherContext.close()
  })

  await test.step('Signing out removes the tokens', async () => {
    await page.goto('/logout')
    await expect(heading(page, 'You are signed out')).toBeVisible()
    await checkStaffScreen(page, '208-logout')
    expect(await readTokens(page)).toEqual([null, null])
  })
})

/** Loads five tabs with an expired access token at the same time, and checks that they refresh it once. */
const expectOneRefresh = async (page: Page, context: BrowserContext) => {
  const refreshes: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) refreshes.push(request.method())
  })
  await page.goto('/account')
  await expect(heading(page, 'June Calloway')).toBeVisible()
  const otherTabs = await Promise.all([1, 2, 3, 4].map(() => context.newPage()))
  await expireAccessToken(page)
  const [, oldToken] = await readTokens(page)
  const tabs = [page, ...otherTabs]
  await Promise.all(tabs.map((tab) => tab.goto('/account')))
  for (const tab of tabs) await expect(tab.getByRole('definition').filter({ hasText: 'owner@' })).toBeVisible()
  expect(refreshes).toEqual(['POST'])
  const [, newToken] = await readTokens(page)
  expect(newToken).not.toBe(oldToken)
  for (const tab of otherTabs) await tab.close()
}

test('An owner registers a studio and sets account preferences', async ({ page }) => {
  await page.goto('/account/setup/NL-7')
  await expect(heading(page, 'Set up your studio')).toBeVisible()
  expect(urlOf(page).pathname).toBe('/setup/NL-7')
  await expect(field(page, 'Account number (optional)')).toHaveValue('NL-7')
  await test.step('Errors are shown at their fields', async () => {
    const address = field(page, 'Your page’s address')
    await field(page, 'Studio name').fill('Northlight Photo')
    await expect(address).toHaveValue('northlight-photo')
    await expect(page.getByText('This address is free.')).toBeVisible()
    await address.fill('riverside')
    await expect(page.getByText('This address is taken. Please choose another')).toBeVisible()
    await address.fill('northlight')
    await field(page, 'Your name').fill('Nora Light')
    await field(page, 'Email').fill('owner@summit.test')
    await choosePassword(page, newPassword)
    await checkStaffScreen(page, '211-setup')
    await page.getByRole('button', { name: 'Set up my studio' }).click()
    await expect(field(page, 'Email')).toHaveAccessibleDescription(/Someone already signs in with this address/)
    await checkStaffScreen(page, '212-setup-refused')
  })
  await test.step('The registration opens the studio', async () => {
    await field(page, 'Email').fill('nora@northlight.test')
    await page.getByRole('button', { name: 'Set up my studio' }).click()
    await expect(page).toHaveURL(/\/admin\/studios\/\d+$/)
  })
  await test.step('The dark theme and other preferences apply at once, and after a reload', async () => {
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
    await page.getByRole('radio', { name: /Match device/ }).check()
    await checkStaffScreen(page, '213-account')
  })
  await test.step('The password can be changed only with the current one', async () => {
    await page.getByLabel('Current password').fill(demoPassword)
    await choosePassword(page, 'something else altogether', 'New password')
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('This is not your password')).toBeVisible()
    await page.getByLabel('Current password').fill(newPassword)
    await page.getByRole('button', { name: 'Change my password' }).click()
    await expect(page.getByText('Your password was changed. Other devices are signed out').first()).toBeVisible()
  })
})
