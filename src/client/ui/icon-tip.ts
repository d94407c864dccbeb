import { type ComponentType, createContext, type ReactElement } from 'react'

/** Shows what a control that is only an icon does, around that control. */
export type IconTip = ComponentType<{
  label: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}>

/** The tooltip around icon-only buttons. Staff's screens provide one; where it is null, the label is for screen readers alone. */
export const IconTipContext = createContext<IconTip | null>(null)
