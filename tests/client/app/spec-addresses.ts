import type { Permission } from '#contract/shapes/call.ts'

/** A screen of the specification (section 2): its path below the base, with aliases, and its permissions. */
export type Screen = {
  name: string
  title: string
  tails: readonly string[]
  /** Any of these; the area's own by default. */
  needs?: readonly Permission[]
  /** The studio feature it requires, and the redirect without it: absolute with `/`, otherwise below the base. */
  feature?: { name: string; instead: string }
  isForVerified?: true
  isExempt?: true
}

const titled = (words: string) => `${words} | Fieldproof`

/** Public and authentication routes. */
export const openScreens: readonly Screen[] = [
  { name: 'home', title: 'Fieldproof', tails: [''] },
  { name: 'login', title: titled('Studio Login'), tails: ['login', 'login?ret=%2Faccount'] },
  { name: 'logout', title: titled('Signed out'), tails: ['logout'] },
  { name: 'forgot-password', title: titled('Forgot password'), tails: ['forgot-password'] },
  { name: 'reset-password', title: titled('New password'), tails: ['reset-password', 'reset-password?token=x'] },
  { name: 'setup', title: titled('Set up'), tails: ['setup', 'setup/4600100'] },
  { name: 'maintenance', title: titled('Back in a moment'), tails: ['maintenance'] },
  { name: 'account', title: titled('Account'), tails: ['account'] },
  { name: 'customer-studio', title: titled('Find your pictures'), tails: ['riverside'] },
]

/** System admin screens that exist so far. */
export const systemScreens: readonly Screen[] = [
  { name: 'system-studios', title: titled('Studios'), tails: ['', 'home', 'studios'] },
]

const organizationJobs = { name: 'rspoJob', instead: '/admin/studios/3/organizations/5/overview' }

/** Studio admin, with the organization editor. */
export const studioScreens: readonly Screen[] = [
  { name: 'studioadmin-profile', title: titled('Profile'), tails: ['profile'], isExempt: true },
  { name: 'studioadmin-home', title: titled('Home'), tails: ['', 'home'] },
  { name: 'studioadmin-organizations', title: titled('Organizations'), tails: ['organizations'] },
  {
    name: 'studioadmin-organization-overview',
    title: titled('Organization'),
    tails: ['organizations/5', 'organizations/5/overview'],
  },
  { name: 'studioadmin-organization-prepay', title: titled('Organization'), tails: ['organizations/5/prepay'] },
  { name: 'studioadmin-organization-gallery', title: titled('Organization'), tails: ['organizations/5/gallery'] },
  {
    name: 'studioadmin-organization-jobs',
    title: titled('Jobs'),
    tails: ['organizations/5/jobs'],
    feature: organizationJobs,
  },
  { name: 'studioadmin-prepay', title: titled('Prepay'), tails: ['prepay'] },
  { name: 'studioadmin-galleries', title: titled('Galleries'), tails: ['galleries'], isForVerified: true },
  { name: 'studioadmin-jobs', title: titled('Jobs'), tails: ['jobs'] },
  { name: 'studioadmin-settings', title: titled('Settings'), tails: ['settings'] },
  { name: 'studioadmin-pkg-prefs', title: titled('Package preferences'), tails: ['pkg-prefs'] },
  { name: 'package-sets', title: titled('Package sets'), tails: ['pkg-set-mgmt'] },
  { name: 'package-set', title: titled('Package set'), tails: ['pkg-set-mgmt/8/packages'] },
  { name: 'studio-packages', title: titled('Packages'), tails: ['packages'] },
]

/** The job editor, below the studio and below the job's organization. */
export const jobScreens: readonly Screen[] = [
  { name: 'job-overview', title: titled('Overview'), tails: ['', 'overview'] },
  {
    name: 'job-settings-general',
    title: titled('General settings'),
    tails: ['settings', 'settings/general', 'settings/general-settings'],
  },
  { name: 'job-settings-standard', title: titled('Order services'), tails: ['settings/standard'] },
  { name: 'job-settings-preorder', title: titled('Preorder settings'), tails: ['settings/preorder'] },
  { name: 'job-settings-prefields', title: titled('Preorder fields'), tails: ['settings/prefields'] },
  { name: 'job-settings-gallery', title: titled('Gallery settings'), tails: ['settings/gallery'], isForVerified: true },
  { name: 'job-packages', title: titled('Packages'), tails: ['packages', 'packages/listing'] },
  {
    name: 'job-green-screens',
    title: titled('Green screens'),
    tails: ['packages/greenscreens', 'greenscreens'],
    feature: { name: 'greenscreens', instead: 'packages' },
    isForVerified: true,
  },
  { name: 'job-package-set', title: titled('Package set'), tails: ['package-sets/8'] },
  {
    name: 'job-data-import',
    title: titled('Data import'),
    tails: ['data-import'],
    feature: { name: 'dataImport', instead: '' },
  },
  { name: 'job-subjects', title: titled('Subjects'), tails: ['subjects', 'subjects/listing'] },
  { name: 'job-groups', title: titled('Groups'), tails: ['subjects/groups'] },
  { name: 'job-subject', title: titled('Subject'), tails: ['subjects/7', 'subjects/7/overview'] },
  {
    name: 'job-workflows',
    title: titled('Workflows'),
    tails: ['workflows'],
    feature: { name: 'workflows', instead: 'overview' },
  },
  { name: 'job-orders-prepay', title: titled('Orders'), tails: ['orders', 'orders/prepay'] },
  { name: 'job-orders-batch', title: titled('Batches'), tails: ['orders/batch'] },
  { name: 'job-orders-individual', title: titled('Individual orders'), tails: ['orders/individual'] },
  { name: 'job-orders-submitted', title: titled('Submitted orders'), tails: ['orders/submitted'] },
  { name: 'job-camera-cards', title: titled('Camera cards'), tails: ['orders/camera-cards'] },
  { name: 'job-roster', title: titled('Roster'), tails: ['orders/print'] },
  { name: 'job-entry', title: titled('Entry'), tails: ['entry'], feature: { name: 'orderEntry', instead: '' } },
]

const adminsOwn = ['profile', 'features', 'users', 'reports', 'entry', 'watermarks', 'defined-fields', 'workflows']
const systemsOwn = [
  ...['', '/products', '/products/tags', '/shipping-options', '/order-services', '/order-errors', '/vertex-logs'],
  ...['/sendgrid-logs', '/galleries-processing', '/taxes', '/configuration'],
]
/** Specified URLs that are not built yet: move them to a list above once they are. */
export const unbuiltAddresses: readonly string[] = [
  ...adminsOwn.map((tail) => `/admin/${tail}`),
  ...systemsOwn.map((tail) => `/admin/system${tail}`),
  ...['coupon-codes', 'reports'].map((tail) => `/admin/studios/3/${tail}`),
  '/admin/studios/3/jobs/12/promotions',
  '/admin/studios/3/organizations/5/jobs/12/promotions',
]
