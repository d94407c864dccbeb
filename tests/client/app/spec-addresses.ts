import type { Permission } from '#contract/shapes/call.ts'

/** A screen of the specification (section 2): its path below the base, with aliases, and its permissions. */
export type Screen = {
  name: string
  title: string
  tails: readonly string[]
  /** The studio feature it requires, and the redirect without it: absolute with `/`, otherwise below the base. */
  feature?: { name: string; redirectTo: string }
  /** The permissions of which one is needed, if they differ from those of its area. */
  needs?: readonly Permission[]
  isForVerified?: true
  isExempt?: true
}

const withProductName = (title: string) => `${title} | Fieldproof`

/** Public and authentication routes. */
export const openScreens: readonly Screen[] = [
  { name: 'home', title: 'Fieldproof', tails: [''] },
  { name: 'login', title: withProductName('Studio Login'), tails: ['login', 'login?ret=%2Faccount'] },
  { name: 'logout', title: withProductName('Signed out'), tails: ['logout'] },
  { name: 'forgot-password', title: withProductName('Forgot password'), tails: ['forgot-password'] },
  {
    name: 'reset-password',
    title: withProductName('New password'),
    tails: ['reset-password', 'reset-password?token=x'],
  },
  { name: 'setup', title: withProductName('Set up'), tails: ['setup', 'setup/4600100'] },
  { name: 'maintenance', title: withProductName('Back in a moment'), tails: ['maintenance'] },
  { name: 'account', title: withProductName('Account'), tails: ['account'] },
  { name: 'customer-studio', title: withProductName('Find your photos'), tails: ['riverside'] },
]

/** The system admin screens that are built. */
export const systemScreens: readonly Screen[] = [
  { name: 'system-home', title: withProductName('Home'), tails: ['', 'home'] },
  { name: 'system-entry', title: withProductName('Entry'), tails: ['entry'] },
  { name: 'system-studios', title: withProductName('Studios'), tails: ['studios'] },
  { name: 'system-features', title: withProductName('Features'), tails: ['features'] },
  { name: 'system-users', title: withProductName('Users'), tails: ['users'] },
  { name: 'system-profile', title: withProductName('Profile'), tails: ['profile'] },
  { name: 'system-reports', title: withProductName('Reports'), tails: ['reports'] },
  { name: 'system-settings', title: withProductName('System settings'), tails: ['system'] },
  { name: 'system-order-errors', title: withProductName('Order errors'), tails: ['system/order-errors'] },
  {
    name: 'system-galleries-processing',
    title: withProductName('Galleries processing'),
    tails: ['system/galleries-processing'],
  },
  { name: 'system-vertex-logs', title: withProductName('Tax requests'), tails: ['system/vertex-logs'] },
  { name: 'system-sendgrid-logs', title: withProductName('Emails'), tails: ['system/sendgrid-logs'] },
  { name: 'system-audit-trail', title: withProductName('Audit trail'), tails: ['audit-trail'] },
  { name: 'system-workflows', title: withProductName('Workflows'), tails: ['workflows'] },
  { name: 'system-watermarks', title: withProductName('Watermarks'), tails: ['watermarks'] },
  { name: 'system-taxes', title: withProductName('Taxes'), tails: ['system/taxes'] },
  { name: 'system-configuration', title: withProductName('Configuration'), tails: ['system/configuration'] },
  { name: 'system-order-services', title: withProductName('Order services'), tails: ['system/order-services'] },
  { name: 'system-products', title: withProductName('Products'), tails: ['system/products'] },
  { name: 'system-product-tags', title: withProductName('Product tags'), tails: ['system/products/tags'] },
  { name: 'system-defined-fields', title: withProductName('Defined fields'), tails: ['defined-fields'] },
  { name: 'system-shipping-options', title: withProductName('Shipping options'), tails: ['system/shipping-options'] },
]

const organizationJobs = { name: 'rspoJob', redirectTo: '/admin/studios/3/organizations/5/overview' }

/** Studio admin, with the organization editor. */
export const studioScreens: readonly Screen[] = [
  { name: 'studioadmin-profile', title: withProductName('Profile'), tails: ['profile'], isExempt: true },
  { name: 'studioadmin-home', title: withProductName('Home'), tails: ['', 'home'] },
  { name: 'studioadmin-organizations', title: withProductName('Organizations'), tails: ['organizations'] },
  {
    name: 'studioadmin-organization-overview',
    title: withProductName('Organization'),
    tails: ['organizations/5', 'organizations/5/overview'],
  },
  {
    name: 'studioadmin-organization-prepay',
    title: withProductName('Organization'),
    tails: ['organizations/5/prepay'],
  },
  {
    name: 'studioadmin-organization-gallery',
    title: withProductName('Organization'),
    tails: ['organizations/5/gallery'],
  },
  {
    name: 'studioadmin-organization-jobs',
    title: withProductName('Jobs'),
    tails: ['organizations/5/jobs'],
    feature: organizationJobs,
  },
  { name: 'studioadmin-prepay', title: withProductName('Prepay'), tails: ['prepay'] },
  { name: 'studioadmin-galleries', title: withProductName('Galleries'), tails: ['galleries'], isForVerified: true },
  { name: 'studioadmin-jobs', title: withProductName('Jobs'), tails: ['jobs'] },
  { name: 'studioadmin-settings', title: withProductName('Settings'), tails: ['settings'] },
  { name: 'studioadmin-pkg-prefs', title: withProductName('Package preferences'), tails: ['pkg-prefs'] },
  { name: 'package-sets', title: withProductName('Package sets'), tails: ['pkg-set-mgmt'] },
  { name: 'package-set', title: withProductName('Package set'), tails: ['pkg-set-mgmt/8/packages'] },
  { name: 'studio-packages', title: withProductName('Packages'), tails: ['packages'] },
  {
    name: 'studioadmin-coupon-codes',
    title: withProductName('Coupon codes'),
    tails: ['coupon-codes'],
    feature: { name: 'promotions', redirectTo: '' },
  },
  {
    name: 'studioadmin-reports',
    title: withProductName('Reports'),
    tails: ['reports'],
    needs: ['studio.financials.read', 'studio.admin.crud'],
    feature: { name: 'reports', redirectTo: '' },
  },
]

/** The job editor, below the studio and below the job's organization. */
export const jobScreens: readonly Screen[] = [
  { name: 'job-overview', title: withProductName('Overview'), tails: ['', 'overview'] },
  {
    name: 'job-settings-general',
    title: withProductName('General settings'),
    tails: ['settings', 'settings/general', 'settings/general-settings'],
  },
  { name: 'job-settings-standard', title: withProductName('Order services'), tails: ['settings/standard'] },
  { name: 'job-settings-preorder', title: withProductName('Preorder settings'), tails: ['settings/preorder'] },
  { name: 'job-settings-prefields', title: withProductName('Preorder fields'), tails: ['settings/prefields'] },
  {
    name: 'job-settings-gallery',
    title: withProductName('Gallery settings'),
    tails: ['settings/gallery'],
    isForVerified: true,
  },
  { name: 'job-packages', title: withProductName('Packages'), tails: ['packages', 'packages/listing'] },
  {
    name: 'job-green-screens',
    title: withProductName('Green screens'),
    tails: ['packages/greenscreens', 'greenscreens'],
    feature: { name: 'greenscreens', redirectTo: 'packages' },
    isForVerified: true,
  },
  { name: 'job-package-set', title: withProductName('Package set'), tails: ['package-sets/8'] },
  {
    name: 'job-data-import',
    title: withProductName('Data import'),
    tails: ['data-import'],
    feature: { name: 'dataImport', redirectTo: '' },
  },
  { name: 'job-subjects', title: withProductName('Subjects'), tails: ['subjects', 'subjects/listing'] },
  { name: 'job-groups', title: withProductName('Groups'), tails: ['subjects/groups'] },
  { name: 'job-subject', title: withProductName('Subject'), tails: ['subjects/7', 'subjects/7/overview'] },
  {
    name: 'job-workflows',
    title: withProductName('Workflows'),
    tails: ['workflows'],
    feature: { name: 'workflows', redirectTo: 'overview' },
  },
  { name: 'job-orders-prepay', title: withProductName('Orders'), tails: ['orders', 'orders/prepay'] },
  { name: 'job-orders-batch', title: withProductName('Batches'), tails: ['orders/batch'] },
  { name: 'job-orders-individual', title: withProductName('Individual orders'), tails: ['orders/individual'] },
  { name: 'job-orders-submitted', title: withProductName('Submitted orders'), tails: ['orders/submitted'] },
  { name: 'job-camera-cards', title: withProductName('Camera cards'), tails: ['orders/camera-cards'] },
  { name: 'job-roster', title: withProductName('Roster'), tails: ['orders/print'] },
  {
    name: 'job-entry',
    title: withProductName('Entry'),
    tails: ['entry'],
    feature: { name: 'orderEntry', redirectTo: '' },
  },
  {
    name: 'job-promotions',
    title: withProductName('Promotions'),
    tails: ['promotions'],
    feature: { name: 'promotions', redirectTo: '' },
  },
]
