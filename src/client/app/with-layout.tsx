import { lazy } from 'react'
import { ignoring } from '#domain/shared/ignoring.ts'
import { preloadResponses, responsesPreloaded } from '#platform/api/preloaded-responses.ts'
import { optionalIdParam, type RouteInput } from '#platform/urls.ts'
import { CustomerNotFound } from '../customer/shared/errors/lazy-error-screens.ts'
import type { RouteMatch } from './match-route.ts'
import { readCustomer } from './route-params.ts'

/** The screen for an unknown URL, which is rarely needed. */
export const NotFoundScreen = lazy(async () => ({
  default: (await import('./not-found-screen.tsx')).NotFoundScreen,
}))

const loadLayout = async () => {
  const [{ CustomerLayout }] = await Promise.all([
    import('./customer-layout/customer-layout.tsx'),
    responsesPreloaded(),
  ])
  return { default: CustomerLayout }
}
const CustomerLayout = lazy(loadLayout)

// The database is opened while code loads, since customer screens depend on it.
const openDatabase = async () => {
  const { database } = await import('#platform/database.ts')
  await ignoring('the screen reports it', () => database.open())
}

/** A screen with its layout. The layout persists across screens of one job and is remounted for another job. */
export const WithLayout = ({ route, input }: RouteMatch) => {
  const isComplete = route.isComplete(input)
  if (route.frame === 'plain') return isComplete ? route.render(input) : <NotFoundScreen />
  const customerRoute = readCustomer(input)
  // An incomplete URL leads to no screen, so it needs neither an access code nor a job.
  const frame = isComplete ? route.frame : 'exempt'
  return (
    <CustomerLayout
      key={`${customerRoute.studioSlug}/${customerRoute.jobId}`}
      {...customerRoute}
      frame={frame}
      screen={route.name}
    >
      {isComplete ? route.render(input) : <CustomerNotFound studioSlug={customerRoute.studioSlug} />}
    </CustomerLayout>
  )
}

const loadJobLayout = async (input: RouteInput): Promise<void> => {
  void preloadResponses({ ...readCustomer(input), subjectId: optionalIdParam(input, 'subjectId') })
  void openDatabase()
  await loadLayout()
}

/** Loads the code of a screen and its layout, and the cached responses of its job, in parallel. */
export const preloadWithLayout = async ({ route, input }: RouteMatch): Promise<void> => {
  await Promise.all([route.preload(), route.frame === 'plain' ? undefined : loadJobLayout(input)])
}
