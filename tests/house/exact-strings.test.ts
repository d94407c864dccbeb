import { expect, test } from 'vitest'
import { unbuiltAddresses } from '../client/app/spec-addresses.ts'
import { readSourceFiles } from './source-files.ts'

/** A text quoted by the specification: the files of `src` that contain it, and the tests that see it on a screen. */
type Exact = { text: string; written: readonly string[]; seen: readonly string[] }

const staffScreens = 'client/app/staff/staff-exact-strings.test.tsx'
const homeScreen = 'client/home/home-screen.test.tsx'
const validators = 'domain/shared/validators.ts'

const exact: readonly Exact[] = [
  // Sections 1 and 2: the start, the login, the guards.
  { text: 'Event Online Ordering Platform', written: ['client/home/home-screen.tsx'], seen: [homeScreen] },
  { text: 'Have an account?', written: ['client/home/home-screen.tsx'], seen: [homeScreen] },
  {
    text: 'Studio Login',
    written: [
      'client/staff/account/login-screen.tsx',
      'client/home/home-screen.tsx',
      'client/app/staff/account-routes.tsx', // the title
    ],
    seen: [homeScreen, 'journeys/staff/staff-accounts.journey.ts'],
  },
  {
    text: 'Looking for order details?',
    written: ['client/customer/discovery/studio/studio-screen.tsx', 'client/home/home-screen.tsx'],
    seen: [homeScreen],
  },
  {
    text: 'Order #',
    written: ['client/customer/downloads/renew-download-form.tsx', 'client/home/order-search-form.tsx'],
    seen: ['client/home/order-search-form.test.tsx', 'journeys/customer/customer-order.journey.ts'],
  },
  {
    text: 'Access to Route Denied',
    written: ['client/app/staff/studio-guards.tsx'],
    seen: [staffScreens],
  },
  {
    text: 'This studio needs to be verified by the partner to access this feature',
    written: ['client/app/staff/studio-guards.tsx', 'server/access/authorization/require-features.ts'],
    seen: [staffScreens, 'journeys/screens/toast-overlap.journey.ts'],
  },
  // Sections 3 and 4: subjects without a name, the order search, the confirmation prompt.
  { text: "'Anonymous'", written: ['client/staff/kit/session/claims.ts'], seen: [staffScreens] },
  {
    text: 'Could not find this order',
    written: ['client/home/order-search.ts', 'server/http/problem.ts'],
    seen: ['journeys/customer/customer-order.journey.ts', 'client/customer/downloads/download-screen.test.tsx'],
  },
  { text: "'Cancel'", written: ['client/ui/dialog/confirm.ts'], seen: ['client/ui/dialog/dialog.test.tsx'] },
  { text: "'Confirm'", written: ['client/ui/dialog/confirm.ts'], seen: ['client/ui/dialog/dialog.test.tsx'] },
  // Section 5: validators.
  {
    text: 'This field is required',
    written: [validators],
    seen: [staffScreens, 'client/customer/checkout/checkout-form.test.tsx'],
  },
  {
    text: 'Requires at least 1 item',
    written: [validators],
    seen: [staffScreens],
  },
  {
    text: 'This value is not a valid email address',
    written: [validators],
    seen: [staffScreens, 'client/home/order-search-form.test.tsx'],
  },
  {
    text: 'This value is not a valid phone number',
    written: [validators],
    seen: [staffScreens, 'client/customer/checkout/checkout-form.test.tsx'],
  },
  {
    text: "This value doesn't match",
    written: [validators],
    seen: [staffScreens, 'journeys/staff/staff-accounts.journey.ts'],
  },
  { text: 'This value must be at least ', written: [validators], seen: [staffScreens] },
  {
    text: 'This value must be one of ',
    written: [validators],
    seen: [staffScreens, 'client/customer/subjects/subject-details-form.test.tsx'],
  },
  {
    text: 'Please fix the fields marked below',
    written: [validators],
    seen: [staffScreens, 'client/home/order-search-form.test.tsx'],
  },
  // Section 8: the error catalogue.
  {
    text: 'Session expired. Please log in again.',
    written: ['client/staff/account/login-screen.tsx'],
    seen: ['client/staff/account/login-screen.test.tsx', 'journeys/staff/staff-accounts.journey.ts'],
  },
  {
    text: 'Failed to authenticate',
    written: ['contract/shapes/problems.ts'],
    seen: ['client/staff/account/login-screen.test.tsx', 'journeys/staff/staff-accounts.journey.ts'],
  },
  {
    text: 'There was an error loading the studio',
    written: ['client/platform/studio-load-error.ts', 'server/http/problem.ts'],
    seen: [
      staffScreens,
      'client/customer/discovery/studio/studio-screen.test.tsx',
      'client/customer/discovery/studio/job-load-error.test.tsx',
    ],
  },
  {
    text: 'Failed to fetch workflows',
    written: ['client/staff/studio/job-editor/workflows-screen.tsx'],
    seen: [staffScreens],
  },
  {
    text: 'An error occurred',
    written: [
      'client/customer/checkout/payment/payment-states.ts',
      'contract/shapes/problems.ts',
      'domain/cart/cart-rules.ts',
      'local/transport/request.ts',
      'server/images/uploads/upload-routes.ts',
    ],
    seen: [staffScreens, 'client/customer/cart/rejected-changes.test.tsx'],
  },
  {
    text: "'Oops:'",
    written: ['client/ui/toast/toast-settings.ts'],
    seen: ['journeys/staff/job-editor.journey.ts'],
  },
  // Section 9: the names of digital products and batch orders.
  {
    text: 'Single Digital Download',
    written: ['domain/catalogue/downloads.ts', 'server/demo/seed-package-sets.ts'],
    seen: ['client/customer/orders/confirmation-screen.test.tsx', 'journeys/customer/digital-package.journey.ts'],
  },
  {
    text: 'Download All Images For Subject',
    written: ['domain/catalogue/downloads.ts', 'server/demo/seed-package-sets.ts'],
    seen: ['journeys/customer/digital-package.journey.ts'],
  },
  {
    text: 'Studio Shipping',
    written: ['domain/pricing/shipping.ts'],
    seen: ['journeys/customer/checkout-totals.journey.ts'],
  },
]

/** Texts for programs, not for people, with the tests that check them. */
const unseen: readonly Exact[] = [
  {
    text: "'Invalid token'",
    written: ['client/staff/kit/session/create-session.ts', 'contract/shapes/problems.ts'],
    seen: ['client/staff/kit/session/create-session.test.ts'],
  },
  {
    text: 'Multiplication of floating point numbers is not supported',
    written: ['domain/pricing/money.ts'],
    seen: ['domain/pricing/money.test.ts'],
  },
]

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const bare = (folder: string) =>
  readSourceFiles(folder).map(({ path, text }) => ({
    path: path.slice(folder.length + 1),
    text: withoutComments(text),
  }))

// The kit page has texts of its own.
const sources = bare('src').filter(({ path }) => path !== 'client/app/kit-page.tsx')
const tests = new Map(bare('tests').map(({ path, text }) => [path, text]))

const writers = (text: string): string[] =>
  sources.filter((source) => source.text.includes(text)).map(({ path }) => path)

test.each([...exact, ...unseen])('$text is written in the expected files and nowhere else', ({ text, written }) => {
  expect(writers(text).sort()).toEqual([...written].sort())
})

test.each(exact)('$text is seen on a screen by a test', ({ text, seen }) => {
  expect(seen).not.toEqual([])
  for (const path of seen) {
    expect(path, 'draws screens').toMatch(/^(client\/.*\.test\.tsx|journeys\/.*\.journey\.ts)$/)
    expect(tests.get(path), path).toContain(text)
  }
})

test.each(unseen)('$text is checked by a test', ({ text, seen }) => {
  for (const path of seen) expect(tests.get(path), path).toContain(text)
})

test('the message for a workflow that cannot be deleted is unused until a screen deletes workflows', () => {
  const isAwaited = unbuiltAddresses.includes('/admin/workflows')
  expect(writers('Failed to delete workflow with ID ')).toHaveLength(isAwaited ? 0 : 1)
})
