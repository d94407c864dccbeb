import { expect, test } from 'vitest'
import { notYet } from '../client/shell/spec-addresses.ts'
import { sourcesOf } from './source.ts'

/** A text that the specification quotes: where in `src` it is written, and which tests see it on a screen when it is triggered. */
type Exact = { text: string; written: readonly string[]; seen: readonly string[] }

const staffScreens = 'client/staff/exact-strings.test.tsx'
const homeScreen = 'client/home/home-screen.test.tsx'
const validators = 'domain/validators.ts'

const exact: readonly Exact[] = [
  // Section 1 and 2: the start, the login, the guards.
  { text: 'Event Online Ordering Platform', written: ['client/home/home-screen.tsx'], seen: [homeScreen] },
  { text: 'Have an account?', written: ['client/home/home-screen.tsx'], seen: [homeScreen] },
  {
    text: 'Studio Login',
    written: [
      'client/account/login-screen.tsx',
      'client/home/home-screen.tsx',
      'client/shell/staff/account-routes.tsx', // the title
    ],
    seen: [homeScreen, 'journeys/sessions.journey.ts'],
  },
  {
    text: 'Looking for order details?',
    written: ['client/customer/find/studio-screen.tsx', 'client/home/home-screen.tsx'],
    seen: [homeScreen],
  },
  {
    text: 'Order #',
    written: ['client/customer/downloads/renew-form.tsx', 'client/home/order-search-form.tsx'],
    seen: ['client/home/order-search-form.test.tsx', 'journeys/errand.journey.ts'],
  },
  {
    text: 'Access to Route Denied',
    written: ['client/shell/staff/studio-guards.tsx'],
    seen: [staffScreens],
  },
  {
    text: 'This studio needs to be verified by the partner to access this feature',
    written: ['client/shell/staff/studio-guards.tsx', 'server/http/needs.ts'],
    seen: [staffScreens, 'journeys/toasts.journey.ts'],
  },
  // Sections 3 and 4: who is nameless, the order search, the confirm prompt.
  { text: "'Anonymous'", written: ['client/session/claims.ts'], seen: [staffScreens] },
  {
    text: 'Could not find this order',
    written: ['client/home/order-search.ts', 'server/http/problem.ts'],
    seen: ['journeys/errand.journey.ts', 'client/downloads/download-screen.test.tsx'],
  },
  { text: "'Cancel'", written: ['client/ui/confirm.ts'], seen: ['client/ui/dialog.test.tsx'] },
  { text: "'Confirm'", written: ['client/ui/confirm.ts'], seen: ['client/ui/dialog.test.tsx'] },
  // Section 5: validators.
  {
    text: 'This field is required',
    written: [validators],
    seen: [staffScreens, 'client/checkout/checkout-form.test.tsx'],
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
    seen: [staffScreens, 'client/checkout/checkout-form.test.tsx'],
  },
  { text: "This value doesn't match", written: [validators], seen: [staffScreens, 'journeys/sessions.journey.ts'] },
  { text: 'This value must be at least ', written: [validators], seen: [staffScreens] },
  {
    text: 'This value must be one of ',
    written: [validators],
    seen: [staffScreens, 'client/people/person-form.test.tsx'],
  },
  {
    text: 'Please fix the fields marked below',
    written: [validators],
    seen: [staffScreens, 'client/home/order-search-form.test.tsx'],
  },
  // Section 8: the error catalogue.
  {
    text: 'Session expired. Please log in again.',
    written: ['client/account/login-screen.tsx'],
    seen: ['client/account/login-screen.test.tsx', 'journeys/sessions.journey.ts'],
  },
  {
    text: 'Failed to authenticate',
    written: ['contract/problems.ts'],
    seen: ['client/account/login-screen.test.tsx', 'journeys/sessions.journey.ts'],
  },
  {
    text: 'There was an error loading the studio',
    written: ['client/shell/studio-not-loaded.ts', 'server/http/problem.ts'],
    seen: [staffScreens, 'client/find/studio-screen.test.tsx', 'client/find/event-trouble.test.tsx'],
  },
  {
    text: 'Failed to fetch workflows',
    written: ['client/studio/job-editor/workflows-screen.tsx'],
    seen: [staffScreens],
  },
  {
    text: 'An error occurred',
    written: [
      'client/customer/checkout/payment-states.ts',
      'contract/problems.ts',
      'domain/cart-rules.ts',
      'local/ask.ts',
      'server/uploads/routes.ts',
    ],
    seen: [staffScreens, 'client/cart/decisions.test.tsx'],
  },
  {
    text: "'Oops:'",
    written: ['client/ui/toast-settings.ts'],
    seen: ['journeys/jobs.journey.ts'],
  },
  // Section 9: what digital products and batch orders are called.
  {
    text: 'Single Digital Download',
    written: ['domain/downloads.ts', 'server/demo/seed-package-sets.ts'],
    seen: ['client/orders/confirmation-screen.test.tsx', 'journeys/offers.journey.ts'],
  },
  {
    text: 'Download All Images For Subject',
    written: ['domain/downloads.ts', 'server/demo/seed-package-sets.ts'],
    seen: ['journeys/offers.journey.ts'],
  },
  { text: 'Studio Shipping', written: ['domain/shipping.ts'], seen: ['journeys/totals.journey.ts'] },
]

/** Said to a program, not to people: which test hears it. */
const unseen: readonly Exact[] = [
  {
    text: "'Invalid token'",
    written: ['client/session/session.ts', 'contract/problems.ts'],
    seen: ['client/session/session.test.ts'],
  },
  {
    text: 'Multiplication of floating point numbers is not supported',
    written: ['domain/money.ts'],
    seen: ['domain/money.test.ts'],
  },
]

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

const bare = (folder: string) =>
  sourcesOf(folder).map(({ path, text }) => ({ path: path.slice(folder.length + 1), text: withoutComments(text) }))

// The page that shows the kit's parts says what it likes.
const sources = bare('src').filter(({ path }) => path !== 'client/kit-page.tsx')
const tests = new Map(bare('tests').map(({ path, text }) => [path, text]))

const writers = (text: string): string[] =>
  sources.filter((source) => source.text.includes(text)).map(({ path }) => path)

test.each([...exact, ...unseen])('$text is written where it belongs, and nowhere else', ({ text, written }) => {
  expect(writers(text).sort()).toEqual([...written].sort())
})

test.each(exact)('$text is seen on a screen', ({ text, seen }) => {
  expect(seen).not.toEqual([])
  for (const path of seen) {
    expect(path, 'draws screens').toMatch(/^(client\/.*\.test\.tsx|journeys\/.*\.journey\.ts)$/)
    expect(tests.get(path), path).toContain(text)
  }
})

test.each(unseen)('$text is heard by a test', ({ text, seen }) => {
  for (const path of seen) expect(tests.get(path), path).toContain(text)
})

test('the words for a workflow that cannot be deleted wait for the screen that deletes them', () => {
  const isAwaited = notYet.includes('/admin/workflows')
  expect(writers('Failed to delete workflow with ID ')).toHaveLength(isAwaited ? 0 : 1)
})
