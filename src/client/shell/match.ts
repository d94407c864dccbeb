import type { Parser } from 'wouter'
import { matchRoute } from 'wouter'
import type { Route } from './route.tsx'
import { type Found, reservedSegments } from './urls.ts'

export type Matched = { route: Route; found: Found }

const decode = (
  params: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> | undefined => {
  try {
    const entries = Object.entries(params).map(([name, value]) => [name, value && decodeURIComponent(value)] as const)
    return Object.fromEntries(entries)
  } catch {
    return undefined
  }
}

const isStudios = (params: Readonly<Record<string, string | undefined>>) =>
  params.studioSlug === undefined || !reservedSegments.includes(params.studioSlug)

/** The first route of the table that an address leads to, with what its pattern found; undefined when none does. */
export const matchAddress = (routes: readonly Route[], parser: Parser, address: string): Matched | undefined => {
  const [path = '/', search = ''] = address.split('?', 2)
  for (const route of routes) {
    for (const pattern of route.patterns) {
      const [matches, params] = matchRoute(parser, pattern, path)
      const decoded = matches && decode(params)
      if (decoded && isStudios(decoded))
        return { route, found: { params: decoded, query: new URLSearchParams(search) } }
    }
  }
  return undefined
}
