import type { ReactNode } from 'react'
import { Icon, type IconShape } from '../icon.tsx'
import { useStateTitle } from '../page/document-title.ts'
import styles from './empty-state.module.css'

type EmptyStateProps = {
  icon?: IconShape
  /** What will be here. */
  title: ReactNode
  /** 1 if it replaces the whole screen. */
  level?: 1 | 2
  children?: ReactNode
  /** The one action to take. */
  action?: ReactNode
}

/** An empty state: what will be here, and the one action to take. At level 1 it also sets the document title. */
export const EmptyState = ({ icon, title, level = 2, children, action }: EmptyStateProps) => {
  useStateTitle(level === 1 && typeof title === 'string' ? title : null)
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.icon}>
          <Icon of={icon} size="1em" />
        </span>
      )}
      {level === 1 ? <h1>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
