import { expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { noLanding } from '#platform/landing.ts'
import { readSourceFiles } from '#tests/house/source-files.ts'

/**
 * For each screen, the name under which a journey takes its screenshot and checks it with axe
 * (`tests/support/browser/screen-checks.ts`): `checkStaffScreen` checks both themes, `checkScreen` one of them.
 */
const screenshots: Readonly<Record<string, string>> = {
  home: '01-home',
  login: '201-login',
  logout: '208-logout',
  account: '213-account',
  maintenance: '42-maintenance',
  'customer-studio': '04-studio',
  // The studio screen with the code of the URL filled in. A valid code redirects at once.
  'customer-code': '05-code-error',
  'customer-subject-search': '06-search',
  'customer-select-subject': '11-gallery',
  'customer-unavailable': '41-unavailable',
  'customer-person-details': '44-prepay-details',
  'customer-select-package': '14-packages',
  'customer-package-details': '16-options',
  'customer-continue': '79-continue',
  'customer-download': '99-download',
  unsubscribe: '109-unsubscribed',
  'shared-images': '111-shared-photos',
  'customer-hand-over': '80-hand-over',
  'customer-edit-cart-package': '26-edit',
  'customer-cart': '22-cart',
  'customer-cart-order_services': '60-services',
  'customer-confirm-cart': '25-confirm-cart',
  checkout: '27-checkout',
  'checkout-order-review': '29-review',
  'order-images': '61-choose-images',
  'order-more': '94-add-more',
  'checkout-order-confirmation': '32-confirmation',
  'forgot-password': '202-forgot-password',
  'reset-password': '203-reset-password',
  setup: '211-setup',
  'system-settings': '290-system-settings',
  'system-home': '291-platform-home',
  'system-entry': '292-entry-start',
  'system-studios': '81-studios',
  'system-features': '271-features',
  'system-workflows': '260-workflows',
  'system-workflow': '261-workflow',
  'system-taxes': '262-taxes',
  'system-configuration': '275-configuration',
  'system-watermarks': '280-watermarks',
  'system-order-services': '265-order-services',
  'system-products': '266-products',
  'system-product-tags': '268-product-tags',
  'system-defined-fields': '269-defined-fields',
  'system-shipping-options': '263-shipping-options',
  'system-order-errors': '275-order-errors',
  'system-galleries-processing': '277-galleries-processing',
  'system-vertex-logs': '272-tax-requests',
  'system-sendgrid-logs': '273-emails',
  'system-audit-trail': '270-audit-trail',
  'system-reports': '241-platform-reports',
  'system-users': '270-users',
  'system-profile': '272-administrator-profile',
  'studioadmin-reports': '240-reports',
  'studioadmin-home': '60-studio-home',
  'studioadmin-jobs': '61-jobs',
  'studioadmin-prepay': '75-prepay',
  'studioadmin-galleries': '76-galleries',
  'studioadmin-profile': '70-profile',
  'studioadmin-settings': '73-settings',
  'studioadmin-pkg-prefs': '74-package-preferences',
  'studioadmin-staff': '205-invited',
  'studioadmin-support-access': '301-support-access',
  'studioadmin-coupon-codes': '240-coupon-codes',
  'studioadmin-coupon-code': '241-coupon-code',
  'job-promotions': '242-job-promotions',
  'job-promotion': '243-job-promotion',
  'studioadmin-developers': '290-developers',
  'studioadmin-webhook': '291-webhook',
  'studioadmin-payouts': '250-payouts',
  'studioadmin-payout': '251-payout',
  'studioadmin-payment-differences': '252-payment-differences',
  'studioadmin-organizations': '71-organizations',
  'studioadmin-organization-overview': '72-organization',
  'studioadmin-organization-prepay': '78-organization-prepay',
  'studioadmin-organization-gallery': '79-organization-gallery',
  'studioadmin-organization-jobs': '80-organization-jobs',
  'studioadmin-organization-commission': '293-organization-commission',
  'package-sets': '81-package-sets',
  'package-set': '82-package-set',
  package: '83-package',
  'studio-packages': '77-studio-packages',
  'job-overview': '63-overview-of-a-draft',
  'job-settings-general': '68-two-tablets',
  'job-settings-standard': '66-order-services',
  'job-settings-preorder': '65-preorder',
  'job-settings-prefields': '64-preorder-fields',
  'job-settings-gallery': '67-gallery',
  'job-workflows': '69-workflow',
  'job-packages': '84-job-packages',
  'job-package-set': '84-job-package-set',
  'job-package': '85-job-package',
  'job-green-screens': '85-green-screens',
  'job-shoot': '60-shoot',
  'job-entry': '63-entry-empty',
  'job-entry-receipt': '65-receipt',
  'job-orders-prepay': '222-orders',
  'job-orders-batch': '223-batches',
  'job-orders-one-batch': '224-batch',
  'job-orders-individual': '228-individual',
  'job-orders-submitted': '225-submitted',
  'job-camera-cards': '226-camera-cards',
  'job-roster': '227-roster',
  'job-order': '221-order',
  'job-subjects': '70-subjects',
  'job-groups': '72-groups',
  'job-subject': '71-subject',
  'job-data-import': '74-imports',
  'job-data-import-one': '71-import-columns',
  'job-images': '84-images',
  'job-yearbook': '87-yearbook',
  'job-image-exports': '89-image-exports',
}

/** The screenshots of screens without their own URL. */
const otherScreenshots = ['38-not-found', '51-not-loaded', '39-no-studio', '86-nothing-open', '66-entry-crop']

const screens = [...landingRoutes(noLanding), ...appRoutes, ...staffRouteTable]
  .map(({ name }) => name)
  .filter((name) => !name.startsWith('redirect ') && name !== 'kit')

test('every screen is checked with axe by a journey', () => {
  expect(Object.keys(screenshots).sort()).toEqual([...screens].sort())
})

const journeys = readSourceFiles('tests/journeys').map(({ text }) => text)

test('every listed screenshot is taken by a journey', () => {
  const isTaken = (screenshot: string) => journeys.some((text) => text.includes(`'${screenshot}'`))
  expect([...Object.values(screenshots), ...otherScreenshots].filter((screenshot) => !isTaken(screenshot))).toEqual([])
})

test('journeys check staff screens in both themes', () => {
  const staffJourneyText = journeys
    .filter((text) => /\bcheckStaffScreen\b/.test(text) && !/\bcheckScreen\b/.test(text))
    .join('')
  const staffScreenshots = staffRouteTable.flatMap(({ name }) => screenshots[name] ?? [])
  expect(staffScreenshots.filter((screenshot) => !staffJourneyText.includes(`'${screenshot}'`))).toEqual([])
})
