import { Link } from 'wouter'
import { classNames } from '../class-names.ts'
import { Icon, type IconShape } from '../icon.tsx'
import styles from './menu.module.css'

export type MenuItem = {
  label: string
  icon?: IconShape
  /** Navigates there; otherwise `onSelect` is called. */
  href?: string
  onSelect?: () => void
  danger?: boolean
  disabled?: boolean
}

export const MenuEntry = ({ item, onChosen }: { item: MenuItem; onChosen: () => void }) => {
  const { label, icon, href, onSelect, danger, disabled } = item
  const choose = () => {
    if (disabled) return
    onChosen()
    onSelect?.()
  }
  const sharedProps = {
    role: 'menuitem',
    tabIndex: -1,
    className: classNames(styles.item, danger && styles.danger),
    'aria-disabled': disabled || undefined,
    onClick: choose,
  } as const
  const content = (
    <>
      {icon && <Icon of={icon} />}
      {label}
    </>
  )
  if (href && !disabled) {
    return (
      <Link {...sharedProps} href={href}>
        {content}
      </Link>
    )
  }
  return (
    <button {...sharedProps} type="button">
      {content}
    </button>
  )
}
