import { createContext, use } from 'react'
import type { LogoShape } from '#contract/shapes/image-structs.ts'

/** The studio data that a landing page needs; a subset of the contract's `CustomerStudio`. */
export type LandingStudio = {
  slug: string
  name: string
  logo: string | null
  logoShape?: LogoShape | null | undefined
  accent: string | null
  phone: string | null
  email: string | null
}

/** The JSON block of a prerendered page: the studio, and whether its own host name was used. */
export type Landing = {
  studio: LandingStudio | null
  ownHost: boolean
  /** The first segment of the requested URL: the studio's slug, or a former one. */
  requestedSlug?: string
}

export const noLanding: Landing = { studio: null, ownHost: false }

export const LandingContext = createContext<Landing>(noLanding)

export const useLanding = (): Landing => use(LandingContext)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const textOrNull = (value: unknown): string | null => (isText(value) ? value : null)

const readLogoShape = (value: unknown): LogoShape | null => {
  if (!isRecord(value)) return null
  const { width, height, wordmark } = value
  if (typeof width !== 'number' || typeof height !== 'number') return null
  return { width, height, wordmark: wordmark === true }
}

const readStudio = (value: unknown): LandingStudio | null => {
  if (!isRecord(value)) return null
  const { slug, name, logo, logoShape, accent, phone, email } = value
  if (!isText(slug) || !isText(name)) return null
  return {
    ...{ slug, name, logo: textOrNull(logo), logoShape: readLogoShape(logoShape) },
    ...{ accent: textOrNull(accent), phone: textOrNull(phone), email: textOrNull(email) },
  }
}

/** The studio in a server response; null if invalid, or if it takes no orders here (`rspoEnabled`, section 5). */
export const readLandingStudio = ({ data }: { data?: unknown }): LandingStudio | null =>
  isRecord(data) && data.rspoEnabled === true ? readStudio(data) : null

/** Reads the page's JSON block; null if the page was not prerendered (the worker's `app.html`). */
export const readLanding = (text: string | null | undefined, path: string): Landing | null => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (!isRecord(value)) return null
    const [, requestedSlug = ''] = path.split('/')
    return { studio: readStudio(value.studio), ownHost: value.ownHost === true, requestedSlug }
  } catch {
    return null
  }
}

/**
 * The names of the databases of this device. A browser that cannot list databases is assumed to have the cart's. If
 * storage is blocked, the promise is rejected.
 */
export const databaseNames = async (): Promise<readonly (string | undefined)[]> => {
  if (!('indexedDB' in window)) return []
  if (!indexedDB.databases) return ['cart']
  const databases = await indexedDB.databases().catch(() => [])
  return databases.map(({ name }) => name)
}
