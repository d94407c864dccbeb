import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'
import { letAdministratorIn } from '#support/journeys/support-access.ts'
import { toastWithText } from '#support/journeys/toasts.ts'

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const riverside = '/admin/studios/1'
const summit = '/admin/studios/2'

const logIn = async (page: Page, ret: string, email: string) => {
  await page.goto(`/login?ret=${encodeURIComponent(ret)}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

const pageTitle = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: name === 'Name' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).tap()
const expectSaved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()

const makeLogo = () =>
  sharp({ create: { width: 900, height: 300, channels: 4, background: '#b4532a' } })
    .png()
    .toBuffer()

test('An owner sets up the studio on a tablet', async ({ page, context }) => {
  const customerPage = await context.newPage()
  const headerLogo = () => customerPage.getByRole('banner').getByRole('img').first()

  await test.step('An unverified studio opens with its profile', async () => {
    await logIn(page, `${summit}/organizations`, 'owner@summit.test')
    await expect(pageTitle(page, 'Profile')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(`${summit}/profile`)
    await checkStaffScreen(page, '70-profile')
  })

  await test.step('A logo must be an image, and is shown on customers’ pages at once', async () => {
    const uploadLogo = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: /(Upload|Replace) logo/ }).tap()
      await (await chooser).setFiles(file)
    }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    await uploadLogo({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: svg })
    await expect(page.getByText('logo.svg: This is an SVG file. Only JPEG, PNG and WebP')).toBeVisible()
    await uploadLogo({ name: 'logo.png', mimeType: 'image/png', buffer: await makeLogo() })
    await expect(toastWithText(page, 'The logo is on your customers’ pages')).toBeVisible()
    const preview = page.getByRole('img', { name: 'The logo as customers see it, light' })
    await expect(preview).toHaveJSProperty('naturalWidth', 900)
    await customerPage.goto('/summit')
    await expect(headerLogo()).toHaveAttribute('src', (await preview.getAttribute('src')) ?? '')
    await expect(headerLogo()).toHaveJSProperty('naturalWidth', 900)
  })

  await test.step('Verification is refused for a wrong password, then granted', async () => {
    const requestButton = page.getByRole('button', { name: 'Request verification' })
    await requestButton.tap()
    await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
    await field(page, 'Account number').fill('4600100')
    await page.getByLabel('Password').fill('not theirs')
    await requestButton.tap()
    await expect(page.getByText('The partner does not know this account number and password').first()).toBeVisible()
    await expect(field(page, 'Account number')).toHaveValue('4600100')
    await page.getByLabel('Password').fill('partner-demo')
    await requestButton.tap()
    await expect(page.getByText('Verified by the partner, account 4600100')).toBeVisible()
  })

  await test.step('The profile is saved', async () => {
    await field(page, 'Name').fill('Summit Sports & Schools')
    await field(page, 'Website').fill('our site')
    await save(page)
    await expect(page.getByText('This value is not a valid web address')).toBeVisible()
    await field(page, 'Website').fill('summit.example')
    await save(page)
    await expectSaved(page)
    await expect(field(page, 'Website')).toHaveValue('https://summit.example')
  })

  await test.step('A time zone, a host name and a brand color are saved, and an unreadable color is adjusted', async () => {
    await page.goto(`${summit}/settings`)
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption({ label: 'Mountain time' })
    await field(page, /^Host names/).fill('localhost')
    await field(page, /^Brand color/).fill('#ffe14d')
    await expect(page.getByText(/to be readable; contrast/).first()).toBeVisible()
    await save(page)
    await expect(page.getByText('This value is not a valid host name')).toBeVisible()
    await field(page, /^Host names/).fill('photos.summit.example')
    await save(page)
    await expectSaved(page)
    await expect(page.getByText('Test payments need no connection: no real money is taken here')).toBeVisible()
    await checkStaffScreen(page, '73-settings')
    const accent = () =>
      customerPage.evaluate(() => document.documentElement.style.getPropertyValue('--studio-accent-dark'))
    // A device that has opened the page before shows its cached copy first, and refreshes it in the background.
    await expect(async () => {
      await customerPage.goto('/summit')
      expect(await accent()).toBe('#ffe14d')
    }).toPass()
  })

  await test.step('Defaults of new packages are saved', async () => {
    await page.goto(`${summit}/pkg-prefs`)
    await page.getByRole('checkbox', { name: 'Customers may crop' }).uncheck()
    await save(page)
    await expectSaved(page)
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'Customers may crop' })).not.toBeChecked()
    await checkStaffScreen(page, '74-package-preferences')
  })
})

test('Organizations are created, edited (on two tablets at once) and deleted', async ({ page, context }) => {
  await logIn(page, `${riverside}/organizations`, 'owner@riverside.test')

  await test.step('A name is checked while it is typed, and an organization is created', async () => {
    await expect(pageTitle(page, 'Organizations')).toBeVisible()
    await checkStaffScreen(page, '71-organizations')
    await page.getByRole('button', { name: 'New organization' }).tap()
    const dialog = page.getByRole('dialog', { name: 'New organization' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('lincoln ELEMENTARY')
    await expect(dialog.getByText('There is already an organization with this name')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Cedar Ridge High')
    await expect(dialog.getByText('This name is free')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create organization' }).tap()
    await expect(pageTitle(page, 'Cedar Ridge High')).toBeVisible()
    await checkStaffScreen(page, '72-organization')
  })

  await test.step('A contact is saved only with an address', async () => {
    await field(page, 'First name').fill('Grace')
    const saveButton = page.getByRole('button', { name: 'Save contact' })
    await saveButton.tap()
    await expect(page.getByText('A contact is saved once it has an address')).toBeVisible()
    await field(page, 'Street').fill('9 School Street')
    await saveButton.tap()
    await expect(toastWithText(page, 'The contact is saved')).toBeVisible()
    await page.reload()
    await expect(field(page, 'First name')).toHaveValue('Grace')
  })

  await test.step('On a conflict between two tablets, the second is notified and keeps its input', async () => {
    const secondTablet = await context.newPage()
    await secondTablet.goto(page.url())
    await expect(field(secondTablet, 'Name')).toHaveValue('Cedar Ridge High')
    await field(page, 'Name').fill('Cedar Ridge Middle')
    await field(page, /^Note/).fill('Gate 2')
    await field(secondTablet, 'Name').fill('Cedar Ridge Academy')
    await field(secondTablet, 'Website').fill('cedar.example')
    await save(page)
    await expectSaved(page)
    await save(secondTablet)
    await expect(secondTablet.getByText('Someone else saved this while you were typing')).toBeVisible()
    await expect(secondTablet.getByText('theirs is “Cedar Ridge Middle”, yours “Cedar Ridge Academy”')).toBeVisible()
    await expect(field(secondTablet, 'Name')).toHaveValue('Cedar Ridge Academy')
    await expect(field(secondTablet, 'Website')).toHaveValue('cedar.example')
    await expect(field(secondTablet, /^Note/)).toHaveValue('Gate 2')
    await save(secondTablet)
    await expectSaved(secondTablet)
    await secondTablet.close()
  })

  await test.step('An organization without jobs is deleted', async () => {
    await page.goto(`${riverside}/organizations`)
    await page.getByRole('link', { name: 'Cedar Ridge Academy' }).tap()
    await page.getByRole('button', { name: 'Delete organization' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(page.getByText('Cedar Ridge Academy is deleted')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Lincoln Elementary' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cedar Ridge Academy' })).toHaveCount(0)
  })
})

/** The path below the studio, the title, and the screenshot's name of screens that no other journey opens. */
const lists = [
  ['prepay', 'Prepay', '75-prepay'],
  ['galleries', 'Galleries', '76-galleries'],
  ['packages', 'Packages', '77-studio-packages'],
  ['organizations/1/prepay', 'Prepay', '78-organization-prepay'],
  ['organizations/1/gallery', 'Gallery', '79-organization-gallery'],
  ['organizations/1/jobs', 'Jobs', '80-organization-jobs'],
] as const

test('An administrator opens the remaining lists, and staff without permissions see only a notice', async ({
  page,
  request,
}) => {
  await letAdministratorIn(request)
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/studios' })
  await expect(pageTitle(page, 'Studios')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Riverside Portraits' })).toBeVisible()
  await checkStaffScreen(page, '81-studios')
  await page.goto('/admin/system')
  await expect(pageTitle(page, 'System settings')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: /^Taxes/ })).toHaveAttribute(
    'href',
    '/admin/system/taxes',
  )
  await checkStaffScreen(page, '290-system-settings')

  await test.step('Each remaining list opens with a row', async () => {
    for (const [path, heading, name] of lists) {
      await page.goto(`${riverside}/${path}`)
      await expect(pageTitle(page, heading)).toBeVisible()
      await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
      await checkStaffScreen(page, name)
    }
  })

  await test.step('The commission of an organization opens with what is owed', async () => {
    await page.goto(`${riverside}/organizations/1/overview`)
    await page.getByRole('link', { name: 'Commission' }).tap()
    await expect(pageTitle(page, 'Commission')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Owed' })).toBeVisible()
    await checkStaffScreen(page, '293-organization-commission')
  })

  await test.step('Package sets of the studio and of a job open with their packages', async () => {
    for (const [path, link, screenNames] of [
      ['pkg-set-mgmt', 'School Portraits', ['82-package-set', '83-package']],
      ['jobs/1/packages', 'Edit this set', ['84-job-package-set', '85-job-package']],
    ] as const) {
      await page.goto(`${riverside}/${path}`)
      await page.getByRole('link', { name: link }).tap()
      await expect(pageTitle(page, 'School Portraits')).toBeVisible()
      const item = page.getByRole('link', { name: /^Package A/ }).first()
      await expect(item).toBeVisible()
      await checkStaffScreen(page, screenNames[0])
      await item.tap()
      await expect(pageTitle(page, 'Package A')).toBeVisible()
      await checkStaffScreen(page, screenNames[1])
    }
  })

  await test.step('Staff without permissions see only a notice', async () => {
    await page.evaluate(() => {
      const [header, payload = '', signature] = (localStorage.getItem('authToken') ?? '').split('.')
      const claims = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
      const emptyClaims = { ...claims, permission: [], studio_id: 1 }
      localStorage.setItem('authToken', [header, btoa(JSON.stringify(emptyClaims)), signature].join('.'))
    })
    await page.goto(riverside)
    await expect(pageTitle(page, 'You don’t have access to this page')).toBeVisible()
    await checkStaffScreen(page, '86-nothing-open')
  })
})
