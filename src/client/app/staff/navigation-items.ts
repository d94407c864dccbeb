import Banknote from 'lucide-react/icons/banknote'
import Boxes from 'lucide-react/icons/boxes'
import Building from 'lucide-react/icons/building-2'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Camera from 'lucide-react/icons/camera'
import ChartColumn from 'lucide-react/icons/chart-column'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Contact from 'lucide-react/icons/contact-round'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import History from 'lucide-react/icons/history'
import Hourglass from 'lucide-react/icons/hourglass'
import House from 'lucide-react/icons/house'
import Images from 'lucide-react/icons/images'
import Keyboard from 'lucide-react/icons/keyboard'
import Landmark from 'lucide-react/icons/landmark'
import ListChecks from 'lucide-react/icons/list-checks'
import Mail from 'lucide-react/icons/mail'
import Package from 'lucide-react/icons/package'
import ReceiptText from 'lucide-react/icons/receipt-text'
import Settings from 'lucide-react/icons/settings'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Sparkles from 'lucide-react/icons/sparkles'
import Stamp from 'lucide-react/icons/stamp'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import TicketPercent from 'lucide-react/icons/ticket-percent'
import ToggleRight from 'lucide-react/icons/toggle-right'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Truck from 'lucide-react/icons/truck'
import Wrench from 'lucide-react/icons/wrench'
import type { IconShape } from '#ui/icon.tsx'

export type NavigationItem = {
  label: string
  /** Path after `/admin`, the studio or the job. */
  tail: string
  /** Other tails that belong to this item. */
  also?: readonly string[]
  icon: IconShape
  /** Shown only if the studio has this feature. */
  feature?: string
  /** Heading above the items of this group; an item without one is above all groups. */
  group?: string
  /** What the screen is for, in one sentence: the item is also in the index of system settings. */
  about?: string
}

const catalog = 'Catalog'
const operation = 'Operation'

/** The navigation of the platform's administrators, one group after the other; tails are below `/admin`. */
export const systemNavigation: readonly NavigationItem[] = [
  { label: 'Home', tail: '', also: ['home'], icon: House },
  { label: 'Studios', tail: 'studios', icon: Building },
  { label: 'Users', tail: 'users', icon: Contact },
  { label: 'Features', tail: 'features', icon: ToggleRight },
  { label: 'Entry', tail: 'entry', icon: Keyboard },
  { label: 'Reports', tail: 'reports', icon: ChartColumn },
  {
    label: 'Products',
    tail: 'system/products',
    icon: Package,
    group: catalog,
    about: 'Prints and files that packages can contain, and their tags.',
  },
  {
    label: 'Order services',
    tail: 'system/order-services',
    icon: Sparkles,
    group: catalog,
    about: 'Extras such as retouching that jobs can offer.',
  },
  {
    label: 'Shipping',
    tail: 'system/shipping-options',
    icon: Truck,
    group: catalog,
    about: 'How orders are sent, and at what price.',
  },
  {
    label: 'Taxes',
    tail: 'system/taxes',
    icon: Landmark,
    group: catalog,
    about: 'Sales tax by state and ZIP code, from a date.',
  },
  {
    label: 'Workflows',
    tail: 'workflows',
    icon: ListChecks,
    group: catalog,
    about: 'Steps that studios follow for a job, with due days.',
  },
  {
    label: 'Fields',
    tail: 'defined-fields',
    icon: TextCursorInput,
    group: catalog,
    about: 'What every studio can store of a subject, and how lists name it.',
  },
  {
    label: 'Watermarks',
    tail: 'watermarks',
    icon: Stamp,
    group: catalog,
    about: 'What is drawn over previews until parents have paid.',
  },
  { label: 'System settings', tail: 'system', icon: Settings, group: operation },
  {
    label: 'Configuration',
    tail: 'system/configuration',
    icon: Wrench,
    group: operation,
    about: 'Maintenance, limits, retention, and the sender of emails.',
  },
  { label: 'Audit trail', tail: 'audit-trail', icon: History, group: operation },
  {
    label: 'Order errors',
    tail: 'system/order-errors',
    icon: TriangleAlert,
    group: operation,
    about: 'What failed and is not resolved yet, by cause.',
  },
  {
    label: 'Galleries processing',
    tail: 'system/galleries-processing',
    icon: Hourglass,
    group: operation,
    about: 'What is processed in the background, for which studio, and what failed.',
  },
  {
    label: 'Tax requests',
    tail: 'system/vertex-logs',
    icon: ReceiptText,
    group: operation,
    about: 'What the tax service was asked, and what it answered.',
  },
  {
    label: 'Emails',
    tail: 'system/sendgrid-logs',
    icon: Mail,
    group: operation,
    about: 'Which emails were sent, and which failed.',
  },
]

/** The studio's navigation. On a tablet the first items are in the bottom bar. */
export const studioNavigation: readonly NavigationItem[] = [
  { label: 'Home', tail: '', icon: House },
  { label: 'Jobs', tail: 'jobs', icon: Camera },
  { label: 'Organizations', tail: 'organizations', icon: Building },
  { label: 'Package sets', tail: 'pkg-set-mgmt', icon: Boxes },
  { label: 'Prepay', tail: 'prepay', icon: CalendarClock },
  { label: 'Galleries', tail: 'galleries', icon: Images },
  { label: 'Packages', tail: 'packages', icon: Package },
  { label: 'Coupon codes', tail: 'coupon-codes', icon: TicketPercent, feature: 'promotions' },
  { label: 'Reports', tail: 'reports', icon: ChartColumn, feature: 'reports' },
  { label: 'Payouts', tail: 'reports/payouts', icon: Banknote, feature: 'reports' },
  { label: 'Package preferences', tail: 'pkg-prefs', icon: SlidersHorizontal },
  { label: 'Profile', tail: 'profile', icon: Contact },
  { label: 'Settings', tail: 'settings', icon: Settings },
]

/** The job's navigation, in the order of the work. */
export const jobNavigation: readonly NavigationItem[] = [
  { label: 'Overview', tail: '', icon: House },
  { label: 'Subjects', tail: 'subjects', icon: Contact },
  { label: 'Import', tail: 'data-import', icon: FileSpreadsheet, feature: 'dataImport' },
  { label: 'Packages', tail: 'packages', also: ['package-sets', 'greenscreens'], icon: Package },
  { label: 'Shoot day', tail: 'shoot', icon: Camera },
  { label: 'Images', tail: 'images', icon: Images },
  { label: 'Orders', tail: 'orders', icon: ShoppingBag },
  { label: 'Entry', tail: 'entry', icon: Keyboard, feature: 'orderEntry' },
  { label: 'Promotions', tail: 'promotions', icon: TicketPercent, feature: 'promotions' },
  { label: 'Workflows', tail: 'workflows', icon: ListChecks, feature: 'workflows' },
  { label: 'Camera cards', tail: 'orders/camera-cards', icon: ClipboardList },
  { label: 'Settings', tail: 'settings', icon: Settings },
]
