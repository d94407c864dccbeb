import type { Route } from '#platform/define-route.tsx'
import { type RouteInput, reservedSegments } from '#platform/urls.ts'

export type RouteMatch<Kind extends Route = Route> = { route: Kind; input: RouteInput }

type Params = Record<string, string | undefined>
type Compiled = { test: RegExp; names: string[] }

// `/:name` is one segment, `/:name?` one or none; everything else is literal.
const compile = (pattern: string): Compiled => {
  const names: string[] = []
  const parts = pattern.split('/').filter((part) => part !== '')
  const sources = parts.map((part) => {
    if (!part.startsWith(':')) return `/${part}`
    const optional = part.endsWith('?')
    names.push(part.slice(1, optional ? -1 : undefined))
    return optional ? '(?:/([^/]+))?' : '/([^/]+)'
  })
  return { test: new RegExp(`^${sources.join('')}/?$`, 'i'), names }
}

const compiled = new Map<string, Compiled>()

const compiledOf = (pattern: string): Compiled => {
  const known = compiled.get(pattern) ?? compile(pattern)
  compiled.set(pattern, known)
  return known
}

// Null if there is no match, or if a segment cannot be decoded.
const paramsOf = (pattern: string, path: string): Params | null => {
  const { test, names } = compiledOf(pattern)
  const values = test.exec(path)
  if (!values) return null
  try {
    return Object.fromEntries(names.map((name, index) => [name, decoded(values[index + 1])]))
  } catch {
    return null
  }
}

const decoded = (segment: string | undefined) => (segment === undefined ? undefined : decodeURIComponent(segment))

const isStudios = ({ studioSlug }: Params) => studioSlug === undefined || !reservedSegments.includes(studioSlug)

/** The first route that matches a URL (path and query, undecoded); undefined if none does. */
export const matchRoute = <Kind extends Route>(
  routes: readonly Kind[],
  address: string,
): RouteMatch<Kind> | undefined => {
  const [path = '/', search = ''] = address.split('?', 2)
  for (const route of routes) {
    for (const pattern of route.patterns) {
      const params = paramsOf(pattern, path)
      if (params && isStudios(params)) return { route, input: { params, query: new URLSearchParams(search) } }
    }
  }
  return undefined
}
