import { TOTP } from 'otpauth'
import type { Page } from 'playwright/test'
import { checkScreen } from '#support/browser/screen-checks.ts'
import { test as base, expect } from '#support/journeys/journey-test.ts'
import { dismissToasts, toastWithText } from '#support/journeys/toasts.ts'

/** Passkeys belong to the public host, which is localhost without PUBLIC_URL; they do not work at an IP address. */
const test = base.extend({
  baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', 'localhost')),
})

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] })

const password = 'fieldproof-demo'
const stepMs = 30_000

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const enterPassword = async (page: Page, email: string) => {
  await page.goto('/login?ret=%2Faccount')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

const signOut = async (page: Page) => {
  await page.goto('/logout')
  await expect(heading(page, 'You are signed out')).toBeVisible()
}

/** Answers the dialog that asks for the password before a change. */
const confirmPassword = async (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toBeHidden()
}

/**
 * Codes of an authenticator app. Each code is of a later step than the one before, because a code is accepted once; the server accepts the
 * next step early.
 */
const authenticatorApp = (key: string) => {
  const totp = new TOTP({ secret: key.replaceAll(' ', '') })
  let lastStep = 0
  return async (page: Page): Promise<string> => {
    lastStep = Math.max(lastStep + 1, TOTP.counter())
    // A third code within one step must wait until its step is at most one ahead.
    await expect.poll(() => lastStep - TOTP.counter(), { timeout: 2 * stepMs }).toBeLessThanOrEqual(1)
    await page.bringToFront()
    return totp.generate({ timestamp: lastStep * stepMs })
  }
}

const readCodes = (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

/** A phone’s authenticator that verifies its user without asking. */
const addVirtualAuthenticator = async (page: Page) => {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

test('An owner turns on two-factor sign-in, uses each way to sign in, and requires it of the studio', async ({
  page,
}) => {
  const owner = 'owner@riverside.test'
  const section = page.getByRole('region', { name: 'Two-factor sign-in and passkeys' })

  const { nextCode, codes } = await test.step('The owner sets up an authenticator app after the password', async () => {
    await enterPassword(page, owner)
    await expect(section.getByText('Off: anyone who learns your password can sign in.')).toBeVisible()
    await checkScreen(page, '280-two-factor-off')
    await section.getByRole('button', { name: 'Set up the app' }).click()
    await checkScreen(page, '281-two-factor-password')
    await confirmPassword(page)
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
    await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await checkScreen(page, '282-two-factor-set-up')
    const makeCode = authenticatorApp(await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText())
    await dialog.getByRole('textbox', { name: 'Code' }).fill('000000')
    await dialog.getByRole('button', { name: 'Turn it on' }).click()
    await expect(dialog.getByText('This code is not valid. Please use the one your app shows now')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Code' }).fill(await makeCode(page))
    await dialog.getByRole('button', { name: 'Turn it on' }).click()
    await expect(section.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    const recoveryCodes = await readCodes(page)
    expect(new Set(recoveryCodes).size).toBe(10)
    await dismissToasts(page)
    await checkScreen(page, '283-recovery-codes')
    await section.getByRole('button', { name: 'Copy' }).click()
    await expect(toastWithText(page, 'The codes are copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join('\n'))
    const download = page.waitForEvent('download')
    await section.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('fieldproof-recovery-codes.txt')
    await section.getByRole('button', { name: 'I saved these codes' }).click()
    await expect(section.getByText('10 of 10 left.')).toBeVisible()
    return { nextCode: makeCode, codes: recoveryCodes }
  })

  await test.step('A login needs the password and a code, which is accepted with spaces', async () => {
    await signOut(page)
    await enterPassword(page, owner)
    await expect(heading(page, 'Two-factor sign-in')).toBeVisible()
    await checkScreen(page, '284-second-factor')
    const code = page.getByRole('textbox', { name: 'Code' })
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code).toHaveAttribute('inputmode', 'numeric')
    await page.goto('/account')
    await expect(heading(page, 'Studio Login')).toBeVisible()
    await enterPassword(page, owner)
    await code.fill((await nextCode(page)).replace(/(...)/, '$1 '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'June Calloway')).toBeVisible()
  })

  await test.step('A recovery code signs in once', async () => {
    const useRecoveryCode = async () => {
      await signOut(page)
      await enterPassword(page, owner)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByRole('textbox', { name: 'Recovery code' }).fill((codes[0] ?? '').toLowerCase())
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await useRecoveryCode()
    await expect(section.getByText('9 of 10 left.')).toBeVisible()
    await useRecoveryCode()
    await expect(page.getByText('This recovery code is not valid, or was used before')).toBeVisible()
    await checkScreen(page, '285-recovery-code')
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[1] ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'June Calloway')).toBeVisible()
  })

  await test.step('A passkey is added, renamed, and signs in without a password and as the second step', async () => {
    await addVirtualAuthenticator(page)
    await section.getByRole('button', { name: 'Add a passkey' }).click()
    await confirmPassword(page)
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await checkScreen(page, '286-new-passkey')
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('Blue phone')
    await dialog.getByRole('button', { name: 'Create the passkey' }).click()
    await expect(section.getByText('never used')).toBeVisible()
    await section.getByRole('button', { name: 'Rename Blue phone' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Red phone')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(section.getByText('Red phone')).toBeVisible()
    await dismissToasts(page)
    await checkScreen(page, '287-two-factor-on')
    await signOut(page)
    await page.goto('/login?ret=%2Faccount')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(section.getByText(/last used/)).toBeVisible()
    await signOut(page)
    await enterPassword(page, owner)
    // The login has this button too.
    await expect(heading(page, 'Two-factor sign-in')).toBeVisible()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(heading(page, 'June Calloway')).toBeVisible()
  })

  await test.step('New recovery codes are made, and the app is removed', async () => {
    await section.getByRole('button', { name: 'Make new codes' }).click()
    await confirmPassword(page)
    await expect(section.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible()
    expect(await readCodes(page)).not.toContain(codes[2])
    await section.getByRole('button', { name: 'I saved these codes' }).click()
    await section.getByRole('button', { name: 'Remove the app' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(section.getByText('Not set up.')).toBeVisible()
  })

  await test.step('The owner requires it of the studio', async () => {
    const studioUrl = await page.getByRole('link', { name: 'Go to studio' }).getAttribute('href')
    await page.goto(`${studioUrl}/settings/staff`)
    await expect(page.getByText('Optional. 1 of 2 people here has none yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Require two-factor sign-in' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Require it' }).click()
    await expect(page.getByText('Required for everyone in this studio.')).toBeVisible()
    await dismissToasts(page)
    await checkScreen(page, '288-two-factor-policy')
  })
})

test('Staff of a studio that requires it set it up at the login, and an administrator resets it', async ({
  page,
  browser,
  baseURL,
}) => {
  await test.step('The set-up follows the password, and the account opens after the recovery codes', async () => {
    await enterPassword(page, 'staff@riverside.test')
    await expect(heading(page, 'Set up two-factor sign-in')).toBeVisible()
    await checkScreen(page, '290-required-set-up')
    const nextCode = authenticatorApp(await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText())
    await page.getByRole('textbox', { name: 'Code' }).fill(await nextCode(page))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await expect(heading(page, 'Two-factor sign-in is on')).toBeVisible()
    await checkScreen(page, '291-required-codes')
    await page.getByRole('button', { name: 'I saved these codes' }).click()
    await expect(heading(page, 'Marcus Webb')).toBeVisible()
    await expect(page.getByText('Your account must have it.')).toBeVisible()
  })

  await test.step('The administrator of the demo is exempt, sees who has it, and resets it', async () => {
    const admin = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await enterPassword(admin, 'admin@fieldproof.test')
    await expect(heading(admin, 'Robin Hale')).toBeVisible()
    await admin.goto('/admin/users')
    const row = admin.getByRole('row').filter({ hasText: 'staff@riverside.test' })
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await admin.getByRole('menuitem', { name: 'Reset two-factor sign-in' }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Reset it' }).click()
    await expect(toastWithText(admin, 'Marcus Webb signs in with the password alone now')).toBeVisible()
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await expect(admin.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
    await expect(admin.getByRole('menuitem', { name: 'Reset two-factor sign-in' })).toHaveCount(0)
    await admin.context().close()
  })

  await test.step('The user is signed out, and sets it up again after the password', async () => {
    await page.goto('/account')
    await expect(page.getByText('Session expired. Please log in again.')).toBeVisible()
    await enterPassword(page, 'staff@riverside.test')
    await expect(heading(page, 'Set up two-factor sign-in')).toBeVisible()
  })
})
