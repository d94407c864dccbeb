import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { staffSender } from '#client/staff/kit/query/staff-sender.ts'
import { readJob, readStudio, type StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { LabelTip } from '#client/staff/kit/screen/label-tooltip.tsx'
import type { Found } from '#platform/urls.ts'
import { IconTipContext } from '#ui/icon-tip.ts'
import { Arrived } from '#ui/page/route-announcer.tsx'
import { matchAddress } from '../match-route.ts'
import { withIdsInPath } from './query-ids.ts'
import { StaffGuard } from './staff-guard.tsx'
import { NothingHere } from './staff-not-found-screen.tsx'
import { staffTable } from './staff-route-table.ts'
import { StudioFrame, type StudioPlace } from './studio-layout.tsx'
import { SystemFrame } from './system-layout.tsx'

const placeOf = ({ area }: StaffRoute, found: Found): StudioPlace | undefined => {
  if (area === 'job') return { ...readStudio(found), job: readJob(found) }
  return area === 'studio' ? readStudio(found) : undefined
}

const isNowhere = (place: StudioPlace | undefined): boolean =>
  place !== undefined && (Number.isNaN(place.studioId) || Number.isNaN(place.job?.jobId))

type Reached = { route: StaffRoute; found: Found; address: string }

/** A screen behind all that guards it: who may come in, then what the studio has, then whose the job is. */
export const GuardedScreen = ({ route, found, address }: Reached) => {
  const place = placeOf(route, found)
  if (isNowhere(place)) return <NothingHere />
  const screen = route.render(found)
  return (
    <IconTipContext value={LabelTip}>
      <StaffGuard route={route} address={address} studioId={place?.studioId}>
        {place ? (
          <StudioFrame routes={staffTable} route={route} found={found} address={address} place={place}>
            {screen}
          </StudioFrame>
        ) : route.area === 'system' ? (
          <SystemFrame>{screen}</SystemFrame>
        ) : (
          screen
        )}
      </StaffGuard>
    </IconTipContext>
  )
}

/** Every screen of those who sign in: those before the login, the account, and staff's behind their guards. */
export const StaffRest = ({ address }: { address: string }) => {
  const inPath = withIdsInPath(address)
  const matched = matchAddress(staffTable, inPath)
  useEffect(() => void staffSender(), [])
  return (
    <QueryClientProvider client={queryClient}>
      {inPath !== address ? (
        <Redirect to={inPath} replace />
      ) : matched ? (
        <GuardedScreen {...matched} address={address} />
      ) : (
        <NothingHere />
      )}
      <Arrived address={address} title={matched ? matched.route.title : 'Not found'} />
    </QueryClientProvider>
  )
}

/** Fetches the code of the screen an address leads to. */
export const preloadStaff = async (address: string): Promise<void> => {
  await matchAddress(staffTable, withIdsInPath(address))?.route.preload()
}
