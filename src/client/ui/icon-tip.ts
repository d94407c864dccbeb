import { type ComponentType, createContext, type ReactElement } from 'react'

/** Wraps an icon-only control and shows its label as a tooltip. */
export type IconTip = ComponentType<{
  label: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}>

/** The tooltip for icon-only buttons. Staff screens provide one; if null, the label is for screen readers only. */
export const IconTipContext = createContext<IconTip | null>(null)
