import type { ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './plain.module.css'
import { productName } from './title.ts'
import { urls } from './urls.ts'
import { useAccent } from './use-accent.ts'

type PlainProps = { title: ReactNode; children: ReactNode }

/** A quiet page of one column under the product's name: sign-in, account, maintenance, not found. */
export const Plain = ({ title, children }: PlainProps) => {
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
