import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { staffSender } from '#client/staff/kit/query/staff-sender.ts'
import { readJobParams, readStudioParams, type StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { LabelTip } from '#client/staff/kit/screen/label-tooltip.tsx'
import type { RouteInput } from '#platform/urls.ts'
import { IconTipContext } from '#ui/icon-tip.ts'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { matchRoute } from '../match-route.ts'
import { withIdsInPath } from './query-ids.ts'
import { StaffGuard } from './staff-guard.tsx'
import { StaffNotFoundScreen } from './staff-not-found-screen.tsx'
import { staffRouteTable } from './staff-route-table.ts'
import { StudioLayout, type StudioParams } from './studio-layout.tsx'
import { SystemLayout } from './system-layout.tsx'

const studioParamsOf = ({ area }: StaffRoute, found: RouteInput): StudioParams | undefined => {
  if (area === 'job') return { ...readStudioParams(found), job: readJobParams(found) }
  return area === 'studio' ? readStudioParams(found) : undefined
}

const hasInvalidId = (params: StudioParams | undefined): boolean =>
  params !== undefined && (Number.isNaN(params.studioId) || Number.isNaN(params.job?.jobId))

type GuardedScreenProps = { route: StaffRoute; input: RouteInput; address: string }

/** A screen behind its guards: permissions first, then the studio's features, then the job's owner. */
export const GuardedScreen = ({ route, input, address }: GuardedScreenProps) => {
  const params = studioParamsOf(route, input)
  if (hasInvalidId(params)) return <StaffNotFoundScreen />
  const screen = route.render(input)
  return (
    <IconTipContext value={LabelTip}>
      <StaffGuard route={route} address={address} studioId={params?.studioId}>
        {params ? (
          <StudioLayout routes={staffRouteTable} route={route} found={input} address={address} params={params}>
            {screen}
          </StudioLayout>
        ) : route.area === 'system' ? (
          <SystemLayout>{screen}</SystemLayout>
        ) : (
          screen
        )}
      </StaffGuard>
    </IconTipContext>
  )
}

/** The staff app: sign-in screens, the account, and all guarded screens. */
export const StaffApp = ({ address }: { address: string }) => {
  const inPath = withIdsInPath(address)
  const matched = matchRoute(staffRouteTable, inPath)
  useEffect(() => void staffSender(), [])
  return (
    <QueryClientProvider client={queryClient}>
      {inPath !== address ? (
        <Redirect to={inPath} replace />
      ) : matched ? (
        <GuardedScreen {...matched} address={address} />
      ) : (
        <StaffNotFoundScreen />
      )}
      <RouteAnnouncer address={address} title={matched ? matched.route.title : 'Not found'} />
    </QueryClientProvider>
  )
}

/** Loads the code of the screen at an address. */
export const preloadStaff = async (address: string): Promise<void> => {
  await matchRoute(staffRouteTable, withIdsInPath(address))?.route.preload()
}
