import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { urls } from '#platform/urls.ts'
import { useAccent } from '../theme/use-accent.ts'
import { productName } from './document-title.ts'
import styles from './plain-page.module.css'

type PlainPageProps = {
  title: ReactNode
  children: ReactNode
  /** Shown in the header instead of the product name, and the accent color that goes with it. */
  brand?: ReactNode
  accent?: string | null | undefined
}

/** A single-column page with only a name in its header: sign-in, account, maintenance, downloads, not found. */
export const PlainPage = ({ title, children, brand, accent = null }: PlainPageProps) => {
  useAccent(accent)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        {brand ?? (
          <Link href={urls.home()} className={styles.brand}>
            {productName}
          </Link>
        )}
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
    </div>
  )
}
