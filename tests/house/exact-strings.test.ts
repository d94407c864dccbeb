import { expect, test } from 'vitest'
import { readSourceFiles } from './source-files.ts'

/** A text quoted by the specification, the files of `src` that contain it, and the tests that expect it. */
type ExactText = { text: string; writtenIn: readonly string[]; testedIn: readonly string[] }

const staffScreens = 'client/app/staff/staff-exact-strings.test.tsx'
const homeScreen = 'client/home/home-screen.test.tsx'
const validators = 'domain/shared/validators.ts'

const screenTexts: readonly ExactText[] = [
  // Sections 1 and 2: the home page, the login, the guards.
  { text: 'Event Online Ordering Platform', writtenIn: ['client/home/home-screen.tsx'], testedIn: [homeScreen] },
  { text: 'Have an account?', writtenIn: ['client/home/home-screen.tsx'], testedIn: [homeScreen] },
  {
    text: 'Studio Login',
    writtenIn: [
      'client/staff/account/login-screen.tsx',
      'client/home/home-screen.tsx',
      'client/app/staff/account-routes.tsx', // the title
    ],
    testedIn: [homeScreen, 'journeys/accounts/staff-accounts.journey.ts'],
  },
  {
    text: 'Looking for order details?',
    writtenIn: ['client/customer/discovery/studio/studio-screen.tsx', 'client/home/home-screen.tsx'],
    testedIn: [homeScreen],
  },
  {
    text: 'Order #',
    writtenIn: ['client/customer/downloads/renew-download-form.tsx', 'client/home/order-search-form.tsx'],
    testedIn: ['client/home/order-search-form.test.tsx', 'journeys/customer/customer-order.journey.ts'],
  },
  {
    text: 'Access to Route Denied',
    writtenIn: ['client/app/staff/studio-guards.tsx'],
    testedIn: [staffScreens],
  },
  {
    text: 'This studio needs to be verified by the partner to access this feature',
    writtenIn: ['client/app/staff/studio-guards.tsx', 'server/access/authorization/require-features.ts'],
    testedIn: [staffScreens, 'journeys/screens/toast-overlap.journey.ts'],
  },
  // Sections 3 and 4: users without a name, the order search, the confirmation prompt.
  { text: "'Anonymous'", writtenIn: ['client/staff/kit/session/claims.ts'], testedIn: [staffScreens] },
  {
    text: 'Could not find this order',
    writtenIn: ['client/home/order-search.ts', 'server/http/problem.ts'],
    testedIn: ['journeys/customer/customer-order.journey.ts', 'client/customer/downloads/download-screen.test.tsx'],
  },
  { text: "'Cancel'", writtenIn: ['client/ui/dialog/confirm.ts'], testedIn: ['client/ui/dialog/dialog.test.tsx'] },
  { text: "'Confirm'", writtenIn: ['client/ui/dialog/confirm.ts'], testedIn: ['client/ui/dialog/dialog.test.tsx'] },
  // Section 5: validators.
  {
    text: 'This field is required',
    writtenIn: [validators],
    testedIn: [staffScreens, 'client/customer/checkout/checkout-form.test.tsx'],
  },
  {
    text: 'Requires at least 1 item',
    writtenIn: [validators],
    testedIn: [staffScreens],
  },
  {
    text: 'This value is not a valid email address',
    writtenIn: [validators],
    testedIn: [staffScreens, 'client/home/order-search-form.test.tsx'],
  },
  {
    text: 'This value is not a valid phone number',
    writtenIn: [validators],
    testedIn: [staffScreens, 'client/customer/checkout/checkout-form.test.tsx'],
  },
  {
    text: "This value doesn't match",
    writtenIn: [validators],
    testedIn: [staffScreens, 'journeys/accounts/staff-accounts.journey.ts'],
  },
  { text: 'This value must be at least ', writtenIn: [validators], testedIn: [staffScreens] },
  {
    text: 'This value must be one of ',
    writtenIn: [validators],
    testedIn: [staffScreens, 'client/customer/subjects/subject-details-form.test.tsx'],
  },
  {
    text: 'Please fix the fields marked below',
    writtenIn: [validators],
    testedIn: [staffScreens, 'client/home/order-search-form.test.tsx'],
  },
  // Section 8: the error catalogue.
  {
    text: 'Session expired. Please log in again.',
    writtenIn: ['client/staff/account/login-screen.tsx'],
    testedIn: ['client/staff/account/login-screen.test.tsx', 'journeys/accounts/staff-accounts.journey.ts'],
  },
  {
    text: 'Failed to authenticate',
    writtenIn: ['contract/shapes/problems.ts'],
    testedIn: ['client/staff/account/login-screen.test.tsx', 'journeys/accounts/staff-accounts.journey.ts'],
  },
  {
    text: 'There was an error loading the studio',
    writtenIn: ['local/transport/failure-cause.ts', 'server/http/problem.ts'],
    testedIn: [
      staffScreens,
      'client/customer/discovery/studio/studio-screen.test.tsx',
      'client/customer/discovery/studio/job-load-error.test.tsx',
    ],
  },
  {
    text: 'Failed to fetch workflows',
    writtenIn: ['domain/studio/workflow.ts'],
    testedIn: [staffScreens, 'client/staff/system/workflows/workflows-screen.test.tsx'],
  },
  {
    text: 'Failed to delete workflow with ID ',
    writtenIn: ['client/staff/system/workflows/use-workflow-actions.ts'],
    testedIn: ['client/staff/system/workflows/workflows-screen.test.tsx'],
  },
  {
    text: 'An error occurred',
    writtenIn: [
      'client/customer/checkout/payment/payment-states.ts',
      'contract/shapes/problems.ts',
      'domain/cart/cart-rules.ts',
      'local/transport/request.ts',
      'server/images/uploads/upload-routes.ts',
    ],
    testedIn: [staffScreens, 'client/customer/cart/rejected-changes.test.tsx'],
  },
  {
    text: "'Oops:'",
    writtenIn: ['client/ui/toast/toast.ts'],
    testedIn: ['journeys/staff/job-editor.journey.ts'],
  },
  // Section 9: the names of digital products and batch orders.
  {
    text: 'Single Digital Download',
    writtenIn: ['domain/catalogue/downloads.ts', 'server/demo/seed-package-sets.ts'],
    testedIn: ['client/customer/orders/confirmation-screen.test.tsx', 'journeys/customer/digital-package.journey.ts'],
  },
  {
    text: 'Download All Images For Subject',
    writtenIn: ['domain/catalogue/downloads.ts', 'server/demo/seed-package-sets.ts'],
    testedIn: ['journeys/customer/digital-package.journey.ts'],
  },
  {
    text: 'Studio Shipping',
    writtenIn: ['domain/pricing/shipping.ts'],
    testedIn: ['journeys/customer/checkout-totals.journey.ts'],
  },
]

/** Texts that no screen shows, with the tests that check them. */
const otherTexts: readonly ExactText[] = [
  {
    text: "'Invalid token'",
    writtenIn: ['client/staff/kit/session/create-session.ts', 'contract/shapes/problems.ts'],
    testedIn: ['client/staff/kit/session/create-session.test.ts'],
  },
  {
    text: 'Multiplication of floating point numbers is not supported',
    writtenIn: ['domain/pricing/money.ts'],
    testedIn: ['domain/pricing/money.test.ts'],
  },
]

const removeComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const readWithoutComments = (folder: string) =>
  readSourceFiles(folder).map(({ path, text }) => ({
    path: path.slice(folder.length + 1),
    text: removeComments(text),
  }))

// The kit page has its own texts.
const sources = readWithoutComments('src').filter(({ path }) => !path.startsWith('client/app/kit-page/'))
const tests = new Map(readWithoutComments('tests').map(({ path, text }) => [path, text]))

const findSources = (text: string): string[] =>
  sources.filter((source) => source.text.includes(text)).map(({ path }) => path)

test.each([...screenTexts, ...otherTexts])(
  'the text $text is written in the expected files and nowhere else',
  ({ text, writtenIn }) => {
    expect(findSources(text).sort()).toEqual([...writtenIn].sort())
  },
)

test.each(screenTexts)('the text $text is expected on a screen by a test', ({ text, testedIn }) => {
  expect(testedIn).not.toEqual([])
  for (const path of testedIn) {
    expect(path, 'is a test that renders screens').toMatch(/^(client\/.*\.test\.tsx|journeys\/.*\.journey\.ts)$/)
    expect(tests.get(path), path).toContain(text)
  }
})

test.each(otherTexts)('the text $text is checked by a test', ({ text, testedIn }) => {
  for (const path of testedIn) expect(tests.get(path), path).toContain(text)
})
