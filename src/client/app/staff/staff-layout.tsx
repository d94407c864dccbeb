import CircleHelp from 'lucide-react/icons/circle-question-mark'
import CircleUser from 'lucide-react/icons/circle-user'
import Ellipsis from 'lucide-react/icons/ellipsis'
import LogOut from 'lucide-react/icons/log-out'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { notReachedTitle } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { formatMoment } from '#client/staff/kit/screen/format.ts'
import { getMaintenanceNotice } from '#contract/system/maintenance-notice.ts'
import { useOnline } from '#platform/online.ts'
import { urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Icon, type IconShape } from '#ui/icon.tsx'
import fading from '#ui/navigation/fading-ends.module.css'
import { useCurrentInView } from '#ui/navigation/tabs.tsx'
import { productName } from '#ui/page/document-title.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import styles from './staff-layout.module.css'
import { useToastOffset } from './toast-offset.ts'

export type NavigationLink = {
  label: string
  href: string
  icon: IconShape
  current: boolean
  group?: string | undefined
}

type StaffLayoutProps = {
  /** The studio's name. */
  name: string
  home: string
  /** Items of the side bar. On a tablet the first ones are in the bottom bar, the others behind "More". */
  items: readonly NavigationLink[]
  /** The job's navigation, if a job is open. */
  jobItems?: { label: string; items: readonly NavigationLink[] }
  /** Shown above every screen. */
  notice?: ReactNode
  children: ReactNode
}

/** Number of items in the bottom bar, without "More". */
const bottomLinkCount = 4

const NavigationItemLink = ({
  item: { label, href, icon, current },
  onNavigate,
}: {
  item: NavigationLink
  onNavigate?: () => void
}) => (
  <Link href={href} className={styles.item} aria-current={current ? 'page' : undefined} onClick={onNavigate}>
    <Icon of={icon} />
    <span>{label}</span>
  </Link>
)

/** Items under the headings of their groups, in the order of the items. */
const GroupedItems = ({ items, onNavigate }: { items: readonly NavigationLink[]; onNavigate?: () => void }) => {
  const groups = Map.groupBy(items, ({ group }) => group)
  return [...groups].map(([group, groupItems]) => (
    <section key={group ?? ''} aria-label={group}>
      {group && <p className={styles.group}>{group}</p>}
      <ul>
        {groupItems.map((item) => (
          <li key={item.href}>
            <NavigationItemLink item={item} {...(onNavigate && { onNavigate })} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

const accountLinks = [
  { label: 'Account', href: urls.account(), icon: CircleUser, current: false },
  { label: 'Sign out', href: urls.logout(), icon: LogOut, current: false },
] as const satisfies readonly NavigationLink[]

const SideNavigation = ({
  name,
  home,
  items,
  onShortcuts,
}: Pick<StaffLayoutProps, 'name' | 'home' | 'items'> & { onShortcuts: () => void }) => (
  <nav aria-label="Studio" className={styles.sideBar}>
    <Link href={home} className={styles.name}>
      {name}
      <small>{name === productName ? 'Administration' : productName}</small>
    </Link>
    <GroupedItems items={items} />
    <ul className={styles.accountLinks}>
      <li>
        <button type="button" className={styles.item} onClick={onShortcuts}>
          <Icon of={CircleHelp} />
          <span>Keyboard shortcuts</span>
        </button>
      </li>
      {accountLinks.map((item) => (
        <li key={item.href}>
          <NavigationItemLink item={item} />
        </li>
      ))}
    </ul>
  </nav>
)

const BottomNavigation = ({ items }: Pick<StaffLayoutProps, 'items'>) => {
  const [open, setOpen] = useState(false)
  return (
    <nav aria-label="Studio, in short" className={styles.bottomBar} data-actions>
      {items.slice(0, bottomLinkCount).map((item) => (
        <NavigationItemLink key={item.href} item={item} />
      ))}
      <button
        type="button"
        className={styles.item}
        data-current={items.slice(bottomLinkCount).some(({ current }) => current) || undefined}
        onClick={() => setOpen(true)}
      >
        <Icon of={Ellipsis} />
        <span>More</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="More" size="small">
        <div className={styles.more}>
          <GroupedItems items={items.slice(bottomLinkCount)} onNavigate={() => setOpen(false)} />
          <GroupedItems items={accountLinks} onNavigate={() => setOpen(false)} />
        </div>
      </Dialog>
    </nav>
  )
}

const JobNavigation = ({ label, items }: NonNullable<StaffLayoutProps['jobItems']>) => {
  const row = useRef<HTMLElement>(null)
  useCurrentInView(row, items.map(({ href, current }) => (current ? `${href}!` : href)).join())
  return (
    <nav ref={row} aria-label={label} className={classNames(styles.job, fading.fadingEnds)}>
      <ul>
        {items.map(({ label: itemLabel, href, current }) => (
          <li key={href}>
            <Link href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
              {itemLabel}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const noticeIntervalMs = 5 * 60_000

/** Announces planned maintenance in local time. */
const MaintenanceNotice = () => {
  const { data } = useStaffQuery(getMaintenanceNotice, { refetchIntervalMs: noticeIntervalMs })
  if (!data?.announced) return null
  const { message, from, until } = data.announced
  return (
    <Notice tone="attention" title="Planned maintenance">
      Closed from {formatMoment(from, undefined)} to {formatMoment(until, undefined)}. {message}
    </Notice>
  )
}

/** Layout of the staff screens: side bar on a desktop, bottom bar on a tablet, and the job's navigation above the content. */
export const StaffLayout = ({ name, home, items, jobItems, notice, children }: StaffLayoutProps) => {
  const online = useOnline()
  useToastOffset()
  const [isShowingShortcuts, setShowingShortcuts] = useState(false)
  return (
    <div className={styles.page}>
      <SideNavigation name={name} home={home} items={items} onShortcuts={() => setShowingShortcuts(true)} />
      <div className={styles.body}>
        <header className={styles.top}>
          <Link href={home} className={styles.name}>
            {name}
          </Link>
          <IconButton icon={CircleHelp} label="Keyboard shortcuts" onClick={() => setShowingShortcuts(true)} />
        </header>
        {jobItems && <JobNavigation {...jobItems} />}
        {!online && (
          <Notice tone="attention">
            {notReachedTitle({ status: 'unreachable' })}. What you typed is saved, and this page continues once we reach
            the server.
          </Notice>
        )}
        <MaintenanceNotice />
        {notice}
        <main className={styles.main}>{children}</main>
      </div>
      <BottomNavigation items={items} />
      <ShortcutsDialog open={isShowingShortcuts} onOpenChange={setShowingShortcuts} />
    </div>
  )
}
