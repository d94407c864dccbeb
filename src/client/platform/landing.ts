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

const isText = (value: unknown): value is string => typeof value === 'string'
const textOrNull = (value: unknown): string | null => (isText(value) ? value : null)
const read = (value: object, key: string): unknown => Reflect.get(value, key)

const readLogoShape = (value: unknown): LogoShape | null => {
  if (typeof value !== 'object' || value === null) return null
  const [width, height] = [read(value, 'width'), read(value, 'height')]
  if (typeof width !== 'number' || typeof height !== 'number') return null
  return { width, height, wordmark: read(value, 'wordmark') === true }
}

const readStudio = (value: unknown): LandingStudio | null => {
  if (typeof value !== 'object' || value === null) return null
  const [slug, name] = [read(value, 'slug'), read(value, 'name')]
  if (!isText(slug) || !isText(name)) return null
  const [logo, accent] = [textOrNull(read(value, 'logo')), textOrNull(read(value, 'accent'))]
  const [phone, email] = [textOrNull(read(value, 'phone')), textOrNull(read(value, 'email'))]
  return { slug, name, logo, logoShape: readLogoShape(read(value, 'logoShape')), accent, phone, email }
}

/** The studio in a server response; null if invalid, or if it takes no orders here (`rspoEnabled`, section 5). */
export const readLandingStudio = (response: object): LandingStudio | null => {
  const data = read(response, 'data')
  return typeof data === 'object' && data !== null && read(data, 'rspoEnabled') === true ? readStudio(data) : null
}

/** Reads the page's JSON block; null if the page was not prerendered (the worker's `app.html`). */
export const readLanding = (text: string | null | undefined, path: string): Landing | null => {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const [, requestedSlug = ''] = path.split('/')
    return { studio: readStudio(read(value, 'studio')), ownHost: read(value, 'ownHost') === true, requestedSlug }
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
