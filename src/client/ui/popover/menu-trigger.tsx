import ChevronDown from 'lucide-react/icons/chevron-down'
import type { Ref } from 'react'
import { Button, type ButtonVariant, type ControlSize, IconButton } from '../button/button.tsx'
import type { IconShape } from '../icon.tsx'

export type MenuTriggerAppearance = {
  /** The button's text; with `icon`, its accessible name. */
  label: string
  /** Shows only this icon instead of the text. */
  icon?: IconShape
  variant?: ButtonVariant
  size?: ControlSize
}

type MenuTriggerProps = MenuTriggerAppearance & {
  ref: Ref<HTMLButtonElement>
  menuId: string
  open: boolean
  onClick: () => void
}

export const MenuTrigger = ({ label, icon, variant = 'quiet', size, ref, menuId, open, onClick }: MenuTriggerProps) => {
  const buttonProps = {
    ref,
    variant,
    size,
    onClick,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': open ? menuId : undefined,
  } as const
  if (icon) return <IconButton {...buttonProps} icon={icon} label={label} />
  return (
    <Button {...buttonProps} icon={ChevronDown} iconSide="right">
      {label}
    </Button>
  )
}
