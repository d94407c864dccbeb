import { Link } from 'wouter'
import styles from './breadcrumbs.module.css'

export type Crumb = { label: string; href: string }

type BreadcrumbsProps = {
  /** The parent screens, outermost first. */
  trail: readonly Crumb[]
  /** The current screen. */
  current: string
}

/** Breadcrumbs, each a real link. */
export const Breadcrumbs = ({ trail, current }: BreadcrumbsProps) => (
  <nav aria-label="Breadcrumbs" className={styles.breadcrumbs}>
    <ol className={styles.trail}>
      {trail.map(({ label, href }) => (
        <li key={href} className={styles.step}>
          <Link href={href} className={styles.link}>
            {label}
          </Link>
        </li>
      ))}
      <li className={styles.step}>
        <span aria-current="page" className={styles.current}>
          {current}
        </span>
      </li>
    </ol>
  </nav>
)
