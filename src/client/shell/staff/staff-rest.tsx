import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { LabelTip } from '../../staff/label-tip.tsx'
import { queryClient } from '../../staff/query-client.ts'
import { readJob, readStudio, type StaffRoute } from '../../staff/staff-route.tsx'
import { staffSender } from '../../staff/staff-sending.ts'
import { IconTipContext } from '../../ui/icon-tip.ts'
import { Arrived } from '../arrived.tsx'
import { matchAddress } from '../match.ts'
import type { Found } from '../urls.ts'
import { NothingHere } from './nothing-here.tsx'
import { withIdsInPath } from './query-ids.ts'
import { StaffGuard } from './staff-guard.tsx'
import { staffTable } from './staff-table.ts'
import { StudioFrame, type StudioPlace } from './studio-frame.tsx'
import { SystemFrame } from './system-frame.tsx'

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
