import { Arrived } from './arrived.tsx'
import { Framed, preloadFramed } from './framed.tsx'
import { matchAddress } from './match.ts'
import { NotFoundScreen } from './not-found-screen.tsx'
import { restRoutes } from './rest-routes.tsx'

/** Every screen that is no landing page, and the one that says there is none. */
export const Rest = ({ address }: { address: string }) => {
  const matched = matchAddress(restRoutes, address)
  return (
    <>
      {matched ? <Framed {...matched} /> : <NotFoundScreen />}
      <Arrived address={address} title={matched ? matched.route.title : 'Not found'} />
    </>
  )
}

/** Fetches the code of the screen an address leads to. */
export const preloadRest = async (address: string): Promise<void> => {
  const matched = matchAddress(restRoutes, address)
  if (matched) await preloadFramed(matched)
}
