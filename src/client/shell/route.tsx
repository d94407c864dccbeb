import { type ComponentType, lazy, type ReactNode } from 'react'
import type { Found } from './urls.ts'

/**
 * What stands around a screen: nothing (`plain`), the customer's event with the entry guard (`event`), the same where a definite no is
 * shown in place instead of leaving (`cart`: cart and checkout), or the event without the guard (`exempt`, section 2).
 */
export type Frame = 'plain' | 'event' | 'cart' | 'exempt'

export type Route = {
  name: string
  patterns: readonly string[]
  /** Stands before ' | Fieldproof' in the document's title; null for the product's name alone. */
  title: string | null
  frame: Frame
  /** Fetches the screen's code without showing it. */
  preload: () => Promise<unknown>
  render: (found: Found) => ReactNode
}

type Facts = Pick<Route, 'name' | 'patterns' | 'title'> & { frame?: Frame }

type Lazy<Props> = Facts & { load: () => Promise<ComponentType<Props>>; read: (found: Found) => Props }
type Eager<Props> = Facts & { screen: ComponentType<Props>; read: (found: Found) => Props }

/** A screen whose code comes when somebody is about to need it. */
export const route = <Props extends object>({ load, read, frame = 'plain', ...facts }: Lazy<Props>): Route => {
  // Components are typed by what they take; lazy wants one that takes anything, and gets exactly what `read` gave.
  const Screen = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return { ...facts, frame, preload: load, render: (found) => <Screen {...read(found)} /> }
}

/** A screen that comes with the first bytes: the landing pages, which are hydrated. */
export const eagerRoute = <Props extends object>({
  screen: Screen,
  read,
  frame = 'plain',
  ...facts
}: Eager<Props>): Route => ({
  ...facts,
  frame,
  preload: async () => undefined,
  render: (found) => <Screen {...read(found)} />,
})
