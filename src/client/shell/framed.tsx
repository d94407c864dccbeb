import { lazy } from 'react'
import { type Matched, matchAddress } from './match.ts'
import { readCustomer } from './readers.ts'
import type { Route } from './route.tsx'

const loadLayout = async () => ({ default: (await import('../customer/layout.tsx')).CustomerLayout })
const CustomerLayout = lazy(loadLayout)

/** A screen with what stands around it. The layout stays from screen to screen of one event; another event starts it anew. */
export const Framed = ({ route, found }: Matched) => {
  const screen = route.render(found)
  if (route.frame === 'plain') return screen
  const place = readCustomer(found)
  return (
    <CustomerLayout key={`${place.studioSlug}/${place.jobId}`} {...place} frame={route.frame}>
      {screen}
    </CustomerLayout>
  )
}

/** Fetches the code of the screen an address leads to, and of what stands around it. Code that fails to come is tried again later. */
export const preloadAddress = async (routes: readonly Route[], address: string): Promise<void> => {
  const route = matchAddress(routes, address)?.route
  const parts = [route?.preload(), route && route.frame !== 'plain' ? loadLayout() : undefined]
  await Promise.allSettled(parts)
}
