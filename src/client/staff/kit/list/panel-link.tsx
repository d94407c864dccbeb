import type { ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './list-screen.module.css'

type PanelLinkProps = {
  href: string
  className?: string | undefined
  /** Opens the row in the side panel. Returns false if there is no room for it. */
  openInPanel: () => boolean
  children: ReactNode
}

/** The name of a row, which opens a dialog or a filtered list. */
export const RowButton = ({ onOpen, children }: { onOpen: () => void; children: ReactNode }) => (
  <button type="button" className={styles.rowButton} onClick={onOpen}>
    {children}
  </button>
)

/** Links to the page of a row. A plain click opens the side panel instead, if there is room for it. */
export const PanelLink = ({ href, className, openInPanel, children }: PanelLinkProps) => (
  <Link
    {...{ href, className }}
    onClick={(event) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey
      if (isPlain && openInPanel()) event.preventDefault()
    }}
  >
    {children}
  </Link>
)
