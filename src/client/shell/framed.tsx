import { lazy } from 'react'
import type { Matched } from './match.ts'
import { readCustomer } from './readers.ts'

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

/** Fetches the code of a screen and of what stands around it, side by side. */
export const preloadFramed = async ({ route }: Matched): Promise<void> => {
  await Promise.all([route.preload(), route.frame === 'plain' ? undefined : loadLayout()])
}
