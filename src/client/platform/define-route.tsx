import { type ComponentType, lazy, type ReactNode } from 'react'
import type { RouteInput } from './urls.ts'

/**
 * The layout of a screen: none (`plain`), the job layout with the entry guard (`event`), the same but showing a closed
 * job in place instead of redirecting (`cart`: cart and checkout), or without the guard (`exempt`, section 2).
 */
export type RouteFrame = 'plain' | 'event' | 'cart' | 'exempt'

export type Route = {
  name: string
  patterns: readonly string[]
  /** Precedes ' | Fieldproof' in the document title; null for the product name alone. */
  title: string | null
  frame: RouteFrame
  /** Loads the screen's code without rendering it. */
  preload: () => Promise<unknown>
  render: (input: RouteInput) => ReactNode
  /** Whether every id the screen needs from its URL is present and valid. */
  isComplete: (input: RouteInput) => boolean
}

const isNotId = (value: unknown): boolean => (Array.isArray(value) ? value.some(isNotId) : Number.isNaN(value))

type RouteDefinition<Props> = Pick<Route, 'name' | 'patterns' | 'title'> & {
  frame?: RouteFrame
  load: () => Promise<ComponentType<Props>>
  /** The screen's props, read from its URL. */
  read: (input: RouteInput) => Props
}

/**
 * A screen whose code is loaded on demand. A preloaded screen renders at once without suspending, as hydration and
 * prerendering require. Whether the screen is lazy is fixed at the first render.
 */
export const defineRoute = <Props extends object>({
  load,
  read,
  frame = 'plain',
  ...definition
}: RouteDefinition<Props>): Route => {
  let LoadedScreen: ComponentType<Props> | undefined
  let RenderedScreen: ComponentType<Props> | undefined
  const preload = async () => {
    LoadedScreen = await load()
    return LoadedScreen
  }
  const screenComponent = (): ComponentType<Props> => {
    // Components are typed by their props; `lazy` expects one for any props, and gets exactly what `read` returns.
    RenderedScreen ??= LoadedScreen ?? (lazy(async () => ({ default: await preload() })) as ComponentType<Props>)
    return RenderedScreen
  }
  const render = (input: RouteInput) => {
    const Screen = screenComponent()
    return <Screen {...read(input)} />
  }
  const isComplete = (input: RouteInput) => {
    try {
      return !Object.values(read(input)).some(isNotId)
    } catch {
      return false
    }
  }
  return { ...definition, frame, preload, render, isComplete }
}
