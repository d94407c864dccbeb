import type { StudioSummary } from '#client/staff/kit/routing/staff-context.ts'
import type { StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import type { Claims } from '#client/staff/kit/session/claims.ts'
import { matchRoute } from '../match-route.ts'
import type { NavigationItem } from './navigation-items.ts'
import { canAccessRoute } from './staff-guard.tsx'
import type { NavigationLink } from './staff-layout.tsx'
import { isVerificationPending } from './studio-guards.tsx'

type NavigationContext = {
  routes: readonly StaffRoute[]
  address: string
  /** Undefined while it loads, and outside studios. */
  studio?: StudioSummary | undefined
  claims: Claims | null
  /** The path of an item's tail. */
  urlOf: (tail: string) => string
}

/** The path of an address, without its query and without a slash at the end. */
export const pathOfAddress = (address: string): string => {
  const [path = ''] = address.split('?', 1)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Items whose screen exists, whose feature the studio has, and that the user may access. None is current on a screen that belongs to no item. */
export const navigationLinks = (
  sections: readonly NavigationItem[],
  { routes, address, studio, claims, urlOf }: NavigationContext,
): NavigationLink[] => {
  const path = pathOfAddress(address)
  const isAt = (tail: string): boolean => path === urlOf(tail) || (tail !== '' && path.startsWith(`${urlOf(tail)}/`))
  const currentSection = sections
    .filter(({ tail, also = [] }) => [tail, ...also].some(isAt))
    .toSorted((first, second) => second.tail.length - first.tail.length)[0]
  const isOpen = (tail: string): boolean => {
    const route = matchRoute(routes, urlOf(tail))?.route
    if (!route || !claims || !canAccessRoute(claims, route)) return false
    return route.isExempt === true || !studio || !isVerificationPending(studio)
  }
  return sections
    .filter(({ tail, feature }) => isOpen(tail) && (!feature || studio?.features.has(feature)))
    .map((section) => ({
      label: section.label,
      href: urlOf(section.tail),
      icon: section.icon,
      group: section.group,
      current: section === currentSection,
    }))
}
