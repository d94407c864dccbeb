import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Link } from 'wouter'
import { classNames } from '../class-names.ts'
import styles from './tabs.module.css'
import { useCurrentInView } from './use-current-in-view.ts'

export type Tab = { id: string; label: ReactNode /** Number of entries in the tab. */; count?: number }

export type TabsProps = {
  /** Accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
  selected: string
  onSelect: (id: string) => void
  /** The panel of the selected tab. */
  children?: ReactNode
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs. Arrow keys, Home and End move and select; Tab moves into the panel. */
export const Tabs = ({ label, tabs, selected, onSelect, children }: TabsProps) => {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  useCurrentInView(list, faceOf(tabs.map((tab) => ({ ...tab, current: tab.id === selected }))))
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const from = tabs.findIndex((tab) => tab.id === selected)
    const next = step && tabs[step(from, tabs.length)]
    if (!next) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            className={styles.tab}
            onClick={() => onSelect(tab.id)}
          >
            <TabFace {...tab} />
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}

/** A key for the tabs' appearance as far as it affects their width. */
const faceOf = (tabs: readonly { current: boolean; count?: number }[]): string =>
  tabs.map(({ current, count = '' }) => `${count}${current ? '!' : ''}`).join()

const TabFace = ({ label, count }: Omit<Tab, 'id'>) => (
  <>
    {label}
    {count !== undefined && <span className={classNames('tabular', styles.count)}>{count}</span>}
  </>
)

export type TabLink = Omit<Tab, 'id'> & { href: string; current: boolean }

/** The same appearance for panels that are screens with their own URL. */
export const TabLinks = ({ label, links }: { label: string; links: readonly TabLink[] }) => {
  const list = useRef<HTMLElement>(null)
  useCurrentInView(list, faceOf(links))
  return (
    <nav ref={list} aria-label={label} className={styles.list}>
      {links.map(({ href, current, ...face }) => (
        <Link key={href} href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
          <TabFace {...face} />
        </Link>
      ))}
    </nav>
  )
}
