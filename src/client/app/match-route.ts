import { useRouter } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import type { Route } from '#platform/define-route.tsx'
import { type RouteInput, reservedSegments } from '#platform/urls.ts'

export type RouteMatch<Kind extends Route = Route> = { route: Kind; input: RouteInput }

type Params = Record<string, string | undefined>
// `/:name` is one segment, `/:name?` one or none; everything else is literal.
const compile = (pattern: string): RegExp => {
  const source = pattern.replace(/\/$/, '').replaceAll(/\/:(\w+)(\??)/g, '(?:/(?<$1>[^/]+))$2')
  return new RegExp(`^${source}/?$`, 'i')
}

const regExpByPattern = new Map<string, RegExp>()

const regExpOf = (pattern: string): RegExp => {
  const regExp = regExpByPattern.get(pattern) ?? compile(pattern)
  regExpByPattern.set(pattern, regExp)
  return regExp
}

// Null if there is no match, or if a segment cannot be decoded.
const paramsOf = (pattern: string, path: string): Params | null => {
  const match = regExpOf(pattern).exec(path)
  if (!match) return null
  try {
    return Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, text]) => [name, text && decodeURIComponent(text)]),
    )
  } catch {
    return null
  }
}

const hasAllowedStudioSlug = ({ studioSlug }: Params) =>
  studioSlug === undefined || !reservedSegments.includes(studioSlug)

/** The first route that matches a URL (path and query, undecoded); undefined if none does. */
export const matchRoute = <Kind extends Route>(
  routes: readonly Kind[],
  address: string,
): RouteMatch<Kind> | undefined => {
  const [path = '/', search = ''] = address.split('?', 2)
  for (const route of routes) {
    for (const pattern of route.patterns) {
      const params = paramsOf(pattern, path)
      if (params && hasAllowedStudioSlug(params))
        return { route, input: { params, query: new URLSearchParams(search) } }
    }
  }
  return undefined
}

/** Path and query as in the browser, undecoded, so that each part is decoded exactly once. */
export const useCurrentUrl = (): string => {
  const { ssrPath } = useRouter()
  return usePathname({ ssrPath }) + useSearch({ ssrSearch: '' })
}
