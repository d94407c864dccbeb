import type { ReactNode } from 'react'
import { Icon, type IconShape } from '../icon.tsx'
import { useStateTitle } from '../page/state-title.ts'
import styles from './empty-state.module.css'

type EmptyStateProps = {
  icon?: IconShape
  /** What will be here. */
  title: ReactNode
  /** 1 where it stands for the whole screen. */
  level?: 1 | 2
  children?: ReactNode
  /** The one thing to do. */
  action?: ReactNode
}

/** A place with nothing in it yet: what will be here and the one thing to do about it. At level 1 the document is named after it. */
export const EmptyState = ({ icon, title, level = 2, children, action }: EmptyStateProps) => {
  useStateTitle(level === 1 && typeof title === 'string' ? title : null)
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.sign}>
          <Icon of={icon} size="1em" />
        </span>
      )}
      {level === 1 ? <h1>{title}</h1> : <h2 className={styles.title}>{title}</h2>}
      {children && <div className={styles.words}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
