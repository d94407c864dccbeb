import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { checkStaffScreen } from '#support/browser/screen-checks.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test.use({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: false, deviceScaleFactor: 1 })

const riverside = '/admin/studios/1'
const summit = '/admin/studios/2'

const logIn = async (page: Page, ret: string, email: string) => {
  await page.goto(`/login?ret=${encodeURIComponent(ret)}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password').fill('fieldproof-demo')
  await page.getByRole('button', { name: 'Log in' }).click()
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name, exact: name === 'Name' })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).tap()
const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()

const logo = () =>
  sharp({ create: { width: 900, height: 300, channels: 4, background: '#b4532a' } })
    .png()
    .toBuffer()

test('An owner sets up the studio, on a tablet', async ({ page, context }) => {
  const parent = await context.newPage()
  const face = () => parent.getByRole('banner').getByRole('img').first()

  await test.step('a studio that is not verified begins with its profile', async () => {
    await logIn(page, `${summit}/organizations`, 'owner@summit.test')
    await expect(title(page, 'Profile')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(`${summit}/profile`)
    await checkStaffScreen(page, '70-profile')
  })

  await test.step('a logo is a picture, and stands on customers’ pages at once', async () => {
    const choose = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: /(Upload|Replace) logo/ }).tap()
      await (await chooser).setFiles(file)
    }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    await choose({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: svg })
    await expect(page.getByText('logo.svg: This is a SVG file. Only JPEG, PNG and WebP')).toBeVisible()
    await choose({ name: 'logo.png', mimeType: 'image/png', buffer: await logo() })
    await expect(page.getByText('The logo is on your customers’ pages')).toBeVisible()
    const shown = page.getByRole('img', { name: 'The logo as customers see it, light' })
    await expect(shown).toHaveJSProperty('naturalWidth', 900)
    await parent.goto('/summit')
    await expect(face()).toHaveAttribute('src', (await shown.getAttribute('src')) ?? '')
    await expect(face()).toHaveJSProperty('naturalWidth', 900)
  })

  await test.step('the partner is asked, and says no, then yes', async () => {
    const request = page.getByRole('button', { name: 'Request verification' })
    await request.tap()
    await expect(page.getByText('Please fix the fields marked below')).toBeVisible()
    await field(page, 'Account number').fill('4600100')
    await page.getByLabel('Password').fill('not theirs')
    await request.tap()
    await expect(page.getByText('The partner does not know this account number and password').first()).toBeVisible()
    await expect(field(page, 'Account number')).toHaveValue('4600100')
    await page.getByLabel('Password').fill('partner-demo')
    await request.tap()
    await expect(page.getByText('Verified by the partner, account 4600100')).toBeVisible()
  })

  await test.step('name and address', async () => {
    await field(page, 'Name').fill('Summit Sports & Schools')
    await field(page, 'Website').fill('our site')
    await save(page)
    await expect(page.getByText('This value is not a valid web address')).toBeVisible()
    await field(page, 'Website').fill('summit.example')
    await save(page)
    await saved(page)
    await expect(field(page, 'Website')).toHaveValue('https://summit.example')
  })

  await test.step('settings: where days begin, a name of its own, a color that can be read', async () => {
    await page.goto(`${summit}/settings`)
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption({ label: 'Mountain time' })
    await field(page, /^Host names/).fill('localhost')
    await field(page, /^Brand color/).fill('#ffe14d')
    await expect(page.getByText(/to be readable; contrast/).first()).toBeVisible()
    await save(page)
    await expect(page.getByText('This value is not a valid host name')).toBeVisible()
    await field(page, /^Host names/).fill('photos.summit.example')
    await save(page)
    await saved(page)
    await expect(page.getByText('Test payments need no connection: no real money is taken here')).toBeVisible()
    await checkStaffScreen(page, '73-settings')
    const accent = () => parent.evaluate(() => document.documentElement.style.getPropertyValue('--studio-accent-dark'))
    // A device that was here before shows its cached page and refreshes it in the background.
    await expect(async () => {
      await parent.goto('/summit')
      expect(await accent()).toBe('#ffe14d')
    }).toPass()
  })

  await test.step('what new packages begin with', async () => {
    await page.goto(`${summit}/pkg-prefs`)
    await page.getByRole('checkbox', { name: 'Customers may crop' }).uncheck()
    await save(page)
    await saved(page)
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'Customers may crop' })).not.toBeChecked()
    await checkStaffScreen(page, '74-package-preferences')
  })
})

test('Organizations are edited on two tablets at once', async ({ page, context }) => {
  await logIn(page, `${riverside}/organizations`, 'owner@riverside.test')

  await test.step('an organization, its name looked at while it is typed', async () => {
    await expect(title(page, 'Organizations')).toBeVisible()
    await checkStaffScreen(page, '71-organizations')
    await page.getByRole('button', { name: 'New organization' }).tap()
    const dialog = page.getByRole('dialog', { name: 'New organization' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('lincoln ELEMENTARY')
    await expect(dialog.getByText('There is an organization of this name already')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Cedar Ridge High')
    await expect(dialog.getByText('This name is free')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create organization' }).tap()
    await expect(title(page, 'Cedar Ridge High')).toBeVisible()
    await checkStaffScreen(page, '72-organization')
  })

  await test.step('its contact is saved only with an address', async () => {
    await field(page, 'First name').fill('Grace')
    const keep = page.getByRole('button', { name: 'Save contact' })
    await keep.tap()
    await expect(page.getByText('A contact is saved once it has an address')).toBeVisible()
    await field(page, 'Street').fill('9 School Street')
    await keep.tap()
    await expect(page.getByText('The contact is saved')).toBeVisible()
    await page.reload()
    await expect(field(page, 'First name')).toHaveValue('Grace')
  })

  await test.step('of two tablets the second is told, and keeps what was typed', async () => {
    const other = await context.newPage()
    await other.goto(page.url())
    await expect(field(other, 'Name')).toHaveValue('Cedar Ridge High')
    await field(page, 'Name').fill('Cedar Ridge Middle')
    await field(page, /^Note/).fill('Gate 2')
    await field(other, 'Name').fill('Cedar Ridge Academy')
    await field(other, 'Website').fill('cedar.example')
    await save(page)
    await saved(page)
    await save(other)
    await expect(other.getByText('Somebody else saved this while you were typing')).toBeVisible()
    await expect(other.getByText('theirs is “Cedar Ridge Middle”, yours “Cedar Ridge Academy”')).toBeVisible()
    await expect(field(other, 'Name')).toHaveValue('Cedar Ridge Academy')
    await expect(field(other, 'Website')).toHaveValue('cedar.example')
    await expect(field(other, /^Note/)).toHaveValue('Gate 2')
    await save(other)
    await saved(other)
    await other.close()
  })

  await test.step('an organization without jobs is deleted', async () => {
    await page.goto(`${riverside}/organizations`)
    await page.getByRole('link', { name: 'Cedar Ridge Academy' }).tap()
    await page.getByRole('button', { name: 'Delete organization' }).tap()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).tap()
    await expect(page.getByText('Cedar Ridge Academy is deleted')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Lincoln Elementary' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Cedar Ridge Academy' })).toHaveCount(0)
  })
})

/** Screens that no other journey opens, by the end of their path below the studio. */
const lists = [
  ['prepay', 'Prepay', '75-prepay'],
  ['galleries', 'Galleries', '76-galleries'],
  ['packages', 'Packages', '77-studio-packages'],
  ['organizations/1/prepay', 'Prepay', '78-organization-prepay'],
  ['organizations/1/gallery', 'Gallery', '79-organization-gallery'],
  ['organizations/1/jobs', 'Jobs', '80-organization-jobs'],
] as const

test('An administrator opens every list, and staff without permissions see only a notice', async ({ page }) => {
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin/studios' })
  await expect(title(page, 'Studios')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Riverside Portraits' })).toBeVisible()
  await checkStaffScreen(page, '81-studios')

  await test.step('lists', async () => {
    for (const [tail, heading, name] of lists) {
      await page.goto(`${riverside}/${tail}`)
      await expect(title(page, heading)).toBeVisible()
      await expect(page.getByRole('table').getByRole('row').nth(1)).toBeVisible()
      await checkStaffScreen(page, name)
    }
  })

  await test.step('a set and its packages, of the studio and of a job', async () => {
    for (const [from, link, names] of [
      ['pkg-set-mgmt', 'School Portraits', ['82-package-set', '83-package']],
      ['jobs/1/packages', 'Edit this set', ['84-job-package-set', '85-job-package']],
    ] as const) {
      await page.goto(`${riverside}/${from}`)
      await page.getByRole('link', { name: link }).tap()
      await expect(title(page, 'School Portraits')).toBeVisible()
      const item = page.getByRole('link', { name: /^Package A/ }).first()
      await expect(item).toBeVisible()
      await checkStaffScreen(page, names[0])
      await item.tap()
      await expect(title(page, 'Package A')).toBeVisible()
      await checkStaffScreen(page, names[1])
    }
  })

  await test.step('without any permission there is nothing but that', async () => {
    await page.evaluate(() => {
      const [head, middle = '', tail] = (localStorage.getItem('authToken') ?? '').split('.')
      const claims = JSON.parse(atob(middle.replace(/-/g, '+').replace(/_/g, '/')))
      const poorer = { ...claims, permission: [], studio_id: 1 }
      localStorage.setItem('authToken', [head, btoa(JSON.stringify(poorer)), tail].join('.'))
    })
    await page.goto(riverside)
    await expect(title(page, 'This page is not open to you')).toBeVisible()
    await checkStaffScreen(page, '86-nothing-open')
  })
})
