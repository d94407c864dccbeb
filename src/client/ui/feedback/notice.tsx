import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { classNames } from '../class-names.ts'
import { Icon, type IconShape } from '../icon.tsx'
import styles from './notice.module.css'

export type NoticeTone = 'info' | 'success' | 'attention'

const icons = { info: Info, success: CircleCheck, attention: TriangleAlert } as const satisfies Record<
  NoticeTone,
  IconShape
>

type NoticeProps = {
  tone?: NoticeTone
  title?: ReactNode
  children?: ReactNode
  /** Buttons or links. */
  action?: ReactNode
  onDismiss?: () => void
}

/** A non-blocking message in the page. */
export const Notice = ({ tone = 'info', title, children, action, onDismiss }: NoticeProps) => (
  <div role="status" className={classNames(styles.notice, styles[tone])}>
    <span className={styles.icon}>
      <Icon of={icons[tone]} />
    </span>
    <div className={styles.text}>
      {title && <p className={styles.title}>{title}</p>}
      {children && <div>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
    {onDismiss && <IconButton icon={X} label="Dismiss" size="xs" onClick={onDismiss} />}
  </div>
)
