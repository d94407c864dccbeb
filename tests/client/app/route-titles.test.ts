import { expect, test } from 'vitest'
import { appRoutes } from '#client/app/app-routes.tsx'
import { landingRoutes } from '#client/app/landing-routes.tsx'
import { staffRouteTable } from '#client/app/staff/staff-route-table.ts'
import { isSlug } from '#domain/studio/studio-slug.ts'
import { noLanding } from '#platform/landing.ts'
import { reservedSegments } from '#platform/urls.ts'
import { documentTitle } from '#ui/page/document-title.ts'

const titles = [...landingRoutes(noLanding), ...appRoutes, ...staffRouteTable]
  .filter(({ name }) => !name.startsWith('redirect ') && name !== 'kit')
  .map(({ name, title }) => [name, documentTitle(title)])

test('every screen has its title before the product name, and home only the product name (section 2)', () => {
  expect(Object.fromEntries(titles)).toEqual({
    home: 'Fieldproof',
    login: 'Studio Login | Fieldproof',
    logout: 'Signed out | Fieldproof',
    account: 'Account | Fieldproof',
    maintenance: 'Back in a moment | Fieldproof',
    'customer-studio': 'Find your photos | Fieldproof',
    'customer-code': 'Access code | Fieldproof',
    'customer-subject-search': 'Who are you ordering for? | Fieldproof',
    'customer-select-subject': 'Gallery | Fieldproof',
    'customer-unavailable': 'Not available | Fieldproof',
    'customer-person-details': 'About your child | Fieldproof',
    'customer-select-package': 'Choose a package | Fieldproof',
    'customer-package-details': 'Make it yours | Fieldproof',
    'customer-continue': 'Continue on this device | Fieldproof',
    'customer-download': 'Download | Fieldproof',
    'customer-hand-over': 'Continue on another device | Fieldproof',
    'customer-edit-cart-package': 'Change a package | Fieldproof',
    'customer-cart': 'Cart | Fieldproof',
    'customer-cart-order_services': 'Services | Fieldproof',
    'customer-confirm-cart': 'Send the cart | Fieldproof',
    checkout: 'Checkout | Fieldproof',
    'checkout-order-review': 'Review your order | Fieldproof',
    'order-images': 'Texts and photos | Fieldproof',
    'order-more': 'Add to your order | Fieldproof',
    'checkout-order-confirmation': 'Your order | Fieldproof',
    'forgot-password': 'Forgot password | Fieldproof',
    'job-green-screens': 'Green screens | Fieldproof',
    'job-groups': 'Groups | Fieldproof',
    'job-overview': 'Overview | Fieldproof',
    'job-package': 'Package | Fieldproof',
    'job-package-set': 'Package set | Fieldproof',
    'job-packages': 'Packages | Fieldproof',
    'job-promotion': 'Promotion | Fieldproof',
    'job-promotions': 'Promotions | Fieldproof',
    'job-settings-gallery': 'Gallery settings | Fieldproof',
    'job-settings-general': 'General settings | Fieldproof',
    'job-settings-prefields': 'Preorder fields | Fieldproof',
    'job-settings-preorder': 'Preorder settings | Fieldproof',
    'job-settings-standard': 'Order services | Fieldproof',
    'job-subject': 'Subject | Fieldproof',
    'job-subjects': 'Subjects | Fieldproof',
    'job-workflows': 'Workflows | Fieldproof',
    package: 'Package | Fieldproof',
    'package-set': 'Package set | Fieldproof',
    'package-sets': 'Package sets | Fieldproof',
    'reset-password': 'New password | Fieldproof',
    setup: 'Set up | Fieldproof',
    'studio-packages': 'Packages | Fieldproof',
    'studioadmin-coupon-code': 'Coupon code | Fieldproof',
    'studioadmin-coupon-codes': 'Coupon codes | Fieldproof',
    'studioadmin-galleries': 'Galleries | Fieldproof',
    'studioadmin-home': 'Home | Fieldproof',
    'studioadmin-jobs': 'Jobs | Fieldproof',
    'studioadmin-organization-gallery': 'Organization | Fieldproof',
    'studioadmin-organization-jobs': 'Jobs | Fieldproof',
    'studioadmin-organization-overview': 'Organization | Fieldproof',
    'studioadmin-organization-prepay': 'Organization | Fieldproof',
    'studioadmin-organizations': 'Organizations | Fieldproof',
    'studioadmin-payment-differences': 'Differences | Fieldproof',
    'studioadmin-payout': 'Payout | Fieldproof',
    'studioadmin-payouts': 'Payouts | Fieldproof',
    'studioadmin-pkg-prefs': 'Package preferences | Fieldproof',
    'studioadmin-prepay': 'Prepay | Fieldproof',
    'studioadmin-profile': 'Profile | Fieldproof',
    'studioadmin-settings': 'Settings | Fieldproof',
    'studioadmin-staff': 'Staff | Fieldproof',
    'job-data-import': 'Data import | Fieldproof',
    'job-data-import-one': 'Data import | Fieldproof',
    'job-entry': 'Entry | Fieldproof',
    'job-entry-receipt': 'Receipt | Fieldproof',
    'job-images': 'Images | Fieldproof',
    'job-yearbook': 'Yearbook | Fieldproof',
    'job-image-exports': 'Image exports | Fieldproof',
    'job-camera-cards': 'Camera cards | Fieldproof',
    'job-order': 'Order | Fieldproof',
    'job-orders-batch': 'Batches | Fieldproof',
    'job-orders-individual': 'Individual orders | Fieldproof',
    'job-orders-one-batch': 'Batch | Fieldproof',
    'job-orders-prepay': 'Orders | Fieldproof',
    'job-orders-submitted': 'Submitted orders | Fieldproof',
    'job-roster': 'Roster | Fieldproof',
    'job-shoot': 'Shoot day | Fieldproof',
    'studioadmin-reports': 'Reports | Fieldproof',
    'system-reports': 'Reports | Fieldproof',
    'system-studios': 'Studios | Fieldproof',
    'system-taxes': 'Taxes | Fieldproof',
    'system-workflow': 'Workflow | Fieldproof',
    'system-workflows': 'Workflows | Fieldproof',
  })
})

test('no studio slug can equal a reserved first path segment', () => {
  expect(reservedSegments.filter(isSlug)).toEqual([])
})
