import ChevronDown from 'lucide-react/icons/chevron-down'
import type { Ref } from 'react'
import { Button, type ButtonVariant, IconButton } from '../button/button.tsx'
import type { ControlSize } from '../form/control-size.ts'
import type { IconShape } from '../icon.tsx'

export type MenuTriggerLook = {
  /** The button's text; with `icon`, its accessible name. */
  label: string
  /** Shows only this icon instead of the text. */
  icon?: IconShape
  variant?: ButtonVariant
  size?: ControlSize
}

type MenuTriggerProps = MenuTriggerLook & {
  ref: Ref<HTMLButtonElement>
  menuId: string
  open: boolean
  onClick: () => void
}

export const MenuTrigger = ({ label, icon, variant = 'quiet', size, ref, menuId, open, onClick }: MenuTriggerProps) => {
  const ties = {
    ref,
    variant,
    size,
    onClick,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': open ? menuId : undefined,
  } as const
  if (icon) return <IconButton {...ties} icon={icon} label={label} />
  return (
    <Button {...ties} icon={ChevronDown} iconSide="right">
      {label}
    </Button>
  )
}
