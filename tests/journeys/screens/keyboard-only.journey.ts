import type { Page } from 'playwright/test'
import { walkDialog, walkMenu, walkScreen } from '#support/browser/keyboard-walk.ts'
import { expect, test } from '#support/journeys/journey-test.ts'
import { orderEntryApi } from '#support/journeys/order-entry-api.ts'
import { signIn } from '#support/journeys/sign-in.ts'

test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false, deviceScaleFactor: 1 })

/** A screen, the names of the buttons that open its dialogs, and of a button with a menu. */
type KeyboardScreen = { at: string; dialogs?: readonly (string | RegExp)[]; menu?: string | RegExp }

const actions = /^Actions for/

const catalogueScreens: readonly KeyboardScreen[] = [
  { at: '' },
  { at: '/studios', dialogs: ['New studio'], menu: actions },
  { at: '/features', dialogs: ['New feature', 'Data import', 'Columns'], menu: actions },
  { at: '/users', dialogs: ['Invite someone', 'Dana Ortiz'], menu: actions },
  { at: '/entry' },
  { at: '/reports' },
  { at: '/watermarks', dialogs: ['New watermark'] },
  { at: '/defined-fields', dialogs: ['New field', 'Grade'], menu: actions },
  { at: '/workflows', menu: actions },
  { at: '/workflows/1', menu: actions },
  { at: '/system' },
  { at: '/system/products', dialogs: ['New product', '8×10 print'], menu: 'CSV' },
  { at: '/system/products/tags', dialogs: ['New tag'] },
  { at: '/system/shipping-options', dialogs: ['New shipping option', 'Standard Shipping'], menu: actions },
  { at: '/system/order-services', dialogs: ['New order service', 'Basic retouching'], menu: actions },
  { at: '/system/taxes', dialogs: ['New tax rate', 'Test an address'], menu: 'CSV' },
]

const operationScreens: readonly KeyboardScreen[] = [
  { at: '/system/configuration', dialogs: ['Message and window', 'Change “Studios can register”'] },
  { at: '/system/order-errors' },
  { at: '/system/vertex-logs' },
  { at: '/system/sendgrid-logs' },
  { at: '/system/galleries-processing' },
  { at: '/audit-trail' },
  { at: '/profile', dialogs: ['Set up the app', 'Add a passkey'] },
]

const ownerScreens: readonly KeyboardScreen[] = [
  { at: '/reports', dialogs: ['Save report', 'Columns'] },
  { at: '/reports/payouts' },
  { at: '/reports/payouts/differences' },
  { at: '/coupon-codes', menu: actions },
  { at: '/coupon-codes/new' },
  { at: '/organizations/1/overview' },
  { at: '/settings' },
  { at: '/settings/developers', dialogs: ['New token', 'New webhook'] },
  { at: '/settings/support-access' },
  { at: '/jobs/1/promotions' },
  { at: '/jobs/1/images/yearbook' },
  { at: '/jobs/1/images/exports' },
]

const walkAll = async (page: Page, base: string, screens: readonly KeyboardScreen[]): Promise<void> => {
  for (const { at, dialogs = [], menu } of screens) {
    const url = `${base}${at}`
    await page.goto(url)
    await expect(page.locator('main h1'), url).toBeVisible()
    await expect(page.locator('[aria-busy="true"]'), url).toHaveCount(0)
    await page.waitForLoadState('networkidle')
    await walkScreen(page, url)
    const main = page.locator('main')
    for (const name of dialogs) {
      const opener = main.getByRole('button', { name, exact: true }).first()
      await walkDialog(page, opener, `${url}, ${name}`)
    }
    if (menu) await walkMenu(page, main.getByRole('button', { name: menu, exact: true }).first(), `${url}, menu`)
  }
}

test('An administrator reaches everything on the screens of studios, users and the catalogue with the keyboard alone', async ({
  page,
  request,
}) => {
  test.setTimeout(400_000)
  await (await orderEntryApi(request, 1)).order('standard')
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin' })
  await walkAll(page, '/admin', catalogueScreens)
})

test('An administrator reaches everything on the screens of operations with the keyboard alone', async ({ page }) => {
  test.setTimeout(400_000)
  await signIn(page, { email: 'admin@fieldproof.test', at: '/admin' })
  await walkAll(page, '/admin', operationScreens)

  await test.step('List keys find a row, move between rows and open one', async () => {
    await page.goto('/admin/system/shipping-options')
    await expect(page.getByRole('button', { name: 'Priority Shipping', exact: true })).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.getByRole('button', { name: 'Standard Shipping', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'Priority Shipping', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Edit shipping option' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Priority Shipping', exact: true })).toBeFocused()
  })
})

test('An owner reaches everything on the screens of money, developers and exports with the keyboard alone', async ({
  page,
  request,
}) => {
  test.setTimeout(400_000)
  await (await orderEntryApi(request, 1)).order('standard')
  await signIn(page, { email: 'owner@riverside.test', at: '/admin/studios/1' })
  await walkAll(page, '/admin/studios/1', ownerScreens)
})
