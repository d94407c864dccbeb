import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { urls } from '#platform/urls.ts'
import { useAccent } from '../theme/use-accent.ts'
import { productName } from './document-title.ts'
import styles from './plain-page.module.css'

type PlainPageProps = { title: ReactNode; children: ReactNode }

/** A single-column page with only the product name in its header: sign-in, account, maintenance, not found. */
export const PlainPage = ({ title, children }: PlainPageProps) => {
  useAccent(null)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link href={urls.home()} className={styles.brand}>
          {productName}
        </Link>
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
    </div>
  )
}
