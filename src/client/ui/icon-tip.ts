import { type ComponentType, createContext, type ReactElement } from 'react'

/** Shows what a control that is only an icon does, around that control. */
export type IconTip = ComponentType<{
  label: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}>

/** How icons that stand alone are explained where this page is: with a tooltip on staff's screens; null where their name is only read out. */
export const IconTipContext = createContext<IconTip | null>(null)
