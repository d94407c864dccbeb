import { lazy } from 'react'
import { preloadResponses, responsesPreloaded } from '#platform/api/preloaded-responses.ts'
import { optionalIdParam, type RouteInput } from '#platform/urls.ts'
import { CustomerNotFound } from '../customer/shared/errors/lazy-error-screens.ts'
import type { RouteMatch } from './match-route.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { readCustomer } from './route-params.ts'

const loadLayout = async () => {
  const [{ CustomerLayout }] = await Promise.all([
    import('./customer-layout/customer-layout.tsx'),
    responsesPreloaded(),
  ])
  return { default: CustomerLayout }
}
const CustomerLayout = lazy(loadLayout)

// The first thing a customer's screens wait for; whoever cannot open it is told by the screen.
const openDatabase = async () => {
  const { database } = await import('#platform/database.ts')
  await database.open().catch(() => undefined)
}

/** A screen with what stands around it. The layout stays from screen to screen of one event; another event starts it anew. */
export const WithLayout = ({ route, found }: RouteMatch) => {
  const isComplete = route.isComplete(found)
  if (route.frame === 'plain') return isComplete ? route.render(found) : <NotFoundScreen />
  const place = readCustomer(found)
  // What leads to no screen asks for no code and waits for no event.
  const frame = isComplete ? route.frame : 'exempt'
  return (
    <CustomerLayout key={`${place.studioSlug}/${place.jobId}`} {...place} frame={frame} screen={route.name}>
      {isComplete ? route.render(found) : <CustomerNotFound studioSlug={place.studioSlug} />}
    </CustomerLayout>
  )
}

const loadEvent = async (found: RouteInput): Promise<void> => {
  void preloadResponses({ ...readCustomer(found), subjectId: optionalIdParam(found, 'subjectId') })
  void openDatabase()
  await loadLayout()
}

/** Fetches the code of a screen and of what stands around it, and what is kept of its event, side by side. */
export const preloadWithLayout = async ({ route, found }: RouteMatch): Promise<void> => {
  await Promise.all([route.preload(), route.frame === 'plain' ? undefined : loadEvent(found)])
}
