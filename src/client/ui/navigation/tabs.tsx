import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { classNames } from '../class-names.ts'
import fading from './fading-ends.module.css'
import styles from './tabs.module.css'

/**
 * Keeps the selected item of a scrollable row centred in view. `row` is the scroll container; `widthKey` changes with
 * the selection and with anything that affects the width.
 */
export const useCurrentInView = (row: RefObject<HTMLElement | null>, widthKey: string): void => {
  useLayoutEffect(() => {
    const selectedElement =
      widthKey !== '' && row.current?.querySelector('[aria-current="page"], [aria-selected="true"]')
    if (!row.current || !selectedElement) return
    const [outer, inner] = [row.current.getBoundingClientRect(), selectedElement.getBoundingClientRect()]
    row.current.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [row, widthKey])
}

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
  useCurrentInView(list, widthKeyOf(tabs.map((tab) => ({ ...tab, current: tab.id === selected }))))
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const selectedIndex = tabs.findIndex((tab) => tab.id === selected)
    const next = step && tabs[step(selectedIndex, tabs.length)]
    if (!next) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div className={styles.tabs}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={classNames(styles.list, fading.fadingEnds)}
        onKeyDown={move}
      >
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
            <TabContent {...tab} />
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`} className={styles.panel}>
        {children}
      </div>
    </div>
  )
}

/** A key that changes whenever the width of a tab may change. */
const widthKeyOf = (tabs: readonly { current: boolean; count?: number }[]): string =>
  tabs.map(({ current, count = '' }) => `${count}${current ? '!' : ''}`).join()

const TabContent = ({ label, count }: Omit<Tab, 'id'>) => (
  <>
    {label}
    {count !== undefined && <span className={classNames('tabular', styles.count)}>{count}</span>}
  </>
)

export type TabLink = Omit<Tab, 'id'> & { href: string; current: boolean }

/** The same appearance for panels that are screens with their own URL. */
export const TabLinks = ({ label, links }: { label: string; links: readonly TabLink[] }) => {
  const list = useRef<HTMLElement>(null)
  useCurrentInView(list, widthKeyOf(links))
  return (
    <nav ref={list} aria-label={label} className={classNames(styles.list, fading.fadingEnds)}>
      {links.map(({ href, current, ...tab }) => (
        <Link key={href} href={href} className={styles.tab} aria-current={current ? 'page' : undefined}>
          <TabContent {...tab} />
        </Link>
      ))}
    </nav>
  )
}
