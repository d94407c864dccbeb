import { QueryClientProvider } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { Redirect } from 'wouter'
import { queryClient } from '#client/staff/kit/query/query-client.ts'
import { staffSender } from '#client/staff/kit/query/staff-sender.ts'
import { readJobParams, readStudioParams, type StaffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { SupportGate } from '#client/staff/kit/support-access/support-gate.tsx'
import type { RouteInput } from '#platform/urls.ts'
import { type IconTooltip, IconTooltipContext } from '#ui/button/button.tsx'
import { productName } from '#ui/page/document-title.ts'
import { RouteAnnouncer } from '#ui/page/route-announcer.tsx'
import { Tooltip } from '#ui/popover/tooltip.tsx'
import { matchRoute } from '../match-route.ts'
import { systemNavigation } from './navigation-items.ts'
import { navigationLinks } from './navigation-links.ts'
import { withIdsInPath } from './query-ids.ts'
import { StaffGuard } from './staff-guard.tsx'
import { StaffLayout } from './staff-layout.tsx'
import { StaffNotFoundScreen } from './staff-not-found-screen.tsx'
import { staffRouteTable } from './staff-route-table.ts'
import { StudioLayout, type StudioParams } from './studio-layout.tsx'

/** Layout of the platform administrators' screens. */
const SystemLayout = ({ address, children }: { address: string; children: ReactNode }) => {
  const claims = useAtomValue(claimsAtom)
  const items = navigationLinks(systemNavigation, { routes: staffRouteTable, address, claims, urlOf: staffUrls.admin })
  return (
    <StaffLayout name={productName} home={staffUrls.admin()} items={items}>
      {children}
    </StaffLayout>
  )
}

/** The name of an icon-only control as a tooltip. */
const LabelTip: IconTooltip = ({ label, children }) => (
  <Tooltip text={label} isName>
    {children}
  </Tooltip>
)

const studioParamsOf = ({ area }: StaffRoute, input: RouteInput): StudioParams | undefined => {
  if (area === 'job') return { ...readStudioParams(input), job: readJobParams(input) }
  return area === 'studio' ? readStudioParams(input) : undefined
}

const hasInvalidId = (params: StudioParams | undefined): boolean =>
  params !== undefined && (Number.isNaN(params.studioId) || Number.isNaN(params.job?.jobId))

type GuardedScreenProps = { route: StaffRoute; input: RouteInput; address: string }

/** A screen behind its guards: permissions first; then, in a studio, job, verification and features. */
export const GuardedScreen = ({ route, input, address }: GuardedScreenProps) => {
  const params = studioParamsOf(route, input)
  if (hasInvalidId(params)) return <StaffNotFoundScreen />
  const screen = route.render(input)
  return (
    <IconTooltipContext value={LabelTip}>
      <StaffGuard route={route} address={address} studioId={params?.studioId}>
        {params ? (
          <SupportGate
            studioId={params.studioId}
            renderOutside={(outside) => <SystemLayout address={staffUrls.admin('studios')}>{outside}</SystemLayout>}
          >
            {(notice) => (
              <StudioLayout routes={staffRouteTable} {...{ route, input, address, params, notice }}>
                {screen}
              </StudioLayout>
            )}
          </SupportGate>
        ) : route.area === 'system' ? (
          <SystemLayout address={address}>{screen}</SystemLayout>
        ) : (
          screen
        )}
      </StaffGuard>
    </IconTooltipContext>
  )
}

/** The staff app: sign-in screens, the account, and all guarded screens. */
export const StaffApp = ({ address }: { address: string }) => {
  const normalisedAddress = withIdsInPath(address)
  const match = matchRoute(staffRouteTable, normalisedAddress)
  useEffect(() => void staffSender(), [])
  return (
    <QueryClientProvider client={queryClient}>
      {normalisedAddress !== address ? (
        <Redirect to={normalisedAddress} replace />
      ) : match ? (
        <GuardedScreen {...match} address={address} />
      ) : (
        <StaffNotFoundScreen />
      )}
      <RouteAnnouncer address={address} title={match ? match.route.title : 'Not found'} />
    </QueryClientProvider>
  )
}

/** Loads the code of the screen at an address. */
export const preloadStaff = async (address: string): Promise<void> => {
  await matchRoute(staffRouteTable, withIdsInPath(address))?.route.preload()
}
