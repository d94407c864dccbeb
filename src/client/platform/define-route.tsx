import { type ComponentType, lazy, type ReactNode } from 'react'
import type { RouteInput } from './urls.ts'

/**
 * What stands around a screen: nothing (`plain`), the customer's event with the entry guard (`event`), the same where a definite no is
 * shown in place instead of leaving (`cart`: cart and checkout), or the event without the guard (`exempt`, section 2).
 */
export type RouteFrame = 'plain' | 'event' | 'cart' | 'exempt'

export type Route = {
  name: string
  patterns: readonly string[]
  /** Stands before ' | Fieldproof' in the document's title; null for the product's name alone. */
  title: string | null
  frame: RouteFrame
  /** Fetches the screen's code without showing it. */
  preload: () => Promise<unknown>
  render: (found: RouteInput) => ReactNode
  /** Whether every id that the screen takes from its address is there and is one. */
  isComplete: (found: RouteInput) => boolean
}

const isNotId = (value: unknown): boolean => (Array.isArray(value) ? value.some(isNotId) : Number.isNaN(value))

type Given<Props> = Pick<Route, 'name' | 'patterns' | 'title'> & {
  frame?: RouteFrame
  load: () => Promise<ComponentType<Props>>
  /** What the screen takes, read from its address. */
  read: (found: RouteInput) => Props
}

/**
 * A screen whose code comes when somebody is about to need it. One that was preloaded is rendered at once, without a pause: landing
 * pages are taken over that way, and made on the server. Which of the two it is stays as it was at the first showing.
 */
export const defineRoute = <Props extends object>({ load, read, frame = 'plain', ...facts }: Given<Props>): Route => {
  let loaded: ComponentType<Props> | undefined
  let Shown: ComponentType<Props> | undefined
  const preload = async () => {
    loaded = await load()
    return loaded
  }
  const show = (): ComponentType<Props> => {
    // Components are typed by what they take; `lazy` wants one that takes anything, and gets exactly what `read` gave.
    Shown ??= loaded ?? (lazy(async () => ({ default: await preload() })) as ComponentType<Props>)
    return Shown
  }
  const render = (found: RouteInput) => {
    const Screen = show()
    return <Screen {...read(found)} />
  }
  const isComplete = (found: RouteInput) => {
    try {
      return !Object.values(read(found)).some(isNotId)
    } catch {
      return false
    }
  }
  return { ...facts, frame, preload, render, isComplete }
}
