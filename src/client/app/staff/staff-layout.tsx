import CircleHelp from 'lucide-react/icons/circle-question-mark'
import CircleUser from 'lucide-react/icons/circle-user'
import Ellipsis from 'lucide-react/icons/ellipsis'
import LogOut from 'lucide-react/icons/log-out'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { notReachedTitle } from '#client/staff/kit/query/connection-error.ts'
import { useOnline } from '#platform/online.ts'
import { urls } from '#platform/urls.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Icon, type IconShape } from '#ui/icon.tsx'
import { useCurrentInView } from '#ui/navigation/use-current-in-view.ts'
import { productName } from '#ui/page/document-title.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import styles from './staff-layout.module.css'
import { useToastOffset } from './toast-offset.ts'

export type NavigationLink = { label: string; href: string; icon: IconShape; current: boolean }

type StaffLayoutProps = {
  /** The studio's name. */
  name: string
  home: string
  /** Items of the side bar. On a tablet the first ones are in the bottom bar, the others behind "More". */
  places: readonly NavigationLink[]
  /** The job's navigation, if a job is open. */
  within?: { label: string; places: readonly NavigationLink[] }
  children: ReactNode
}

/** Number of items in the bottom bar, without "More". */
const bottomLinkCount = 4

const NavigationItemLink = ({
  place: { label, href, icon, current },
  onGo,
}: {
  place: NavigationLink
  onGo?: () => void
}) => (
  <Link href={href} className={styles.place} aria-current={current ? 'page' : undefined} onClick={onGo}>
    <Icon of={icon} />
    <span>{label}</span>
  </Link>
)

const accountLinks = [
  { label: 'Account', href: urls.account(), icon: CircleUser, current: false },
  { label: 'Sign out', href: urls.logout(), icon: LogOut, current: false },
] as const satisfies readonly NavigationLink[]

const SideNavigation = ({
  name,
  home,
  places,
  onKeys,
}: Pick<StaffLayoutProps, 'name' | 'home' | 'places'> & { onKeys: () => void }) => (
  <nav aria-label="Studio" className={styles.rail}>
    <Link href={home} className={styles.name}>
      {name}
      <small>{productName}</small>
    </Link>
    <ul>
      {places.map((place) => (
        <li key={place.href}>
          <NavigationItemLink place={place} />
        </li>
      ))}
    </ul>
    <ul className={styles.own}>
      <li>
        <button type="button" className={styles.place} onClick={onKeys}>
          <Icon of={CircleHelp} />
          <span>Keyboard shortcuts</span>
        </button>
      </li>
      {accountLinks.map((place) => (
        <li key={place.href}>
          <NavigationItemLink place={place} />
        </li>
      ))}
    </ul>
  </nav>
)

const BottomNavigation = ({ places }: Pick<StaffLayoutProps, 'places'>) => {
  const [open, setOpen] = useState(false)
  return (
    <nav aria-label="Studio, in short" className={styles.foot} data-actions>
      {places.slice(0, bottomLinkCount).map((place) => (
        <NavigationItemLink key={place.href} place={place} />
      ))}
      <button type="button" className={styles.place} onClick={() => setOpen(true)}>
        <Icon of={Ellipsis} />
        <span>More</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="More" size="small">
        <ul className={styles.more}>
          {[...places.slice(bottomLinkCount), ...accountLinks].map((place) => (
            <li key={place.href}>
              <NavigationItemLink place={place} onGo={() => setOpen(false)} />
            </li>
          ))}
        </ul>
      </Dialog>
    </nav>
  )
}

const JobNavigation = ({ label, places }: NonNullable<StaffLayoutProps['within']>) => {
  const row = useRef<HTMLElement>(null)
  useCurrentInView(row, places.map(({ href, current }) => (current ? `${href}!` : href)).join())
  return (
    <nav ref={row} aria-label={label} className={styles.within}>
      <ul>
        {places.map(({ label: words, href, current }) => (
          <li key={href}>
            <Link href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Layout of the staff screens: side bar on a desktop, bottom bar on a tablet, and the job's navigation above the content. */
export const StaffLayout = ({ name, home, places, within, children }: StaffLayoutProps) => {
  const online = useOnline()
  useToastOffset()
  const [showsKeys, setShowsKeys] = useState(false)
  return (
    <div className={styles.page}>
      <SideNavigation name={name} home={home} places={places} onKeys={() => setShowsKeys(true)} />
      <div className={styles.body}>
        <header className={styles.top}>
          <Link href={home} className={styles.name}>
            {name}
          </Link>
          <IconButton icon={CircleHelp} label="Keyboard shortcuts" onClick={() => setShowsKeys(true)} />
        </header>
        {within && <JobNavigation {...within} />}
        {!online && (
          <Notice tone="attention">
            {notReachedTitle({ status: 'unreachable' })}. What you typed is kept, and this goes on by itself once the
            server can be reached.
          </Notice>
        )}
        <main className={styles.main}>{children}</main>
      </div>
      <BottomNavigation places={places} />
      <ShortcutsDialog open={showsKeys} onOpen={setShowsKeys} />
    </div>
  )
}
