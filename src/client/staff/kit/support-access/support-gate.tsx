import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { pathOf } from '#contract/shapes/call.ts'
import { getOwnSupportAccess } from '#contract/system/support-access.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { onSupportAccessNeeded } from '../query/authorized-request.ts'
import { QueryBoundary } from '../query/query-boundary.tsx'
import { useStaffQuery } from '../query/use-staff-query.ts'
import { useIsAdministrator } from '../session/current-session.ts'
import { SupportBanner } from './support-banner.tsx'
import { SupportNotices } from './support-notices.tsx'
import { SupportRequestScreen } from './support-request-screen.tsx'

/** While an administrator waits for an owner, and while they are inside: there the next refused call closes the studio. */
const [waitingMs, insideMs] = [5_000, 300_000]

type SupportGateProps = {
  studioId: number
  /** The layout around the screen that is shown without access. */
  renderOutside: (screen: ReactNode) => ReactNode
  /** The studio, with a notice for all of its screens. */
  children: (notice: ReactNode) => ReactNode
}

/** Removes what this tab has of the studio, so that it is not shown after the access ended. */
const useClearedStudio = (studioId: number, isOpen: boolean | undefined): void => {
  const client = useQueryClient()
  useEffect(() => {
    const isOfStudio = (path: string): boolean => `${path}/`.includes(`/studioadmin/studios/${studioId}/`)
    if (isOpen === false) client.removeQueries({ predicate: ({ queryKey }) => isOfStudio(String(queryKey[0])) })
  }, [client, studioId, isOpen])
}

const AdministratorGate = ({ studioId, renderOutside, children }: SupportGateProps) => {
  const query = useStaffQuery(getOwnSupportAccess, {
    params: { id: studioId },
    refetchIntervalMs: (own) => (own?.asked ? waitingMs : insideMs),
  })
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = [pathOf(getOwnSupportAccess, { id: studioId }, {})]
    return onSupportAccessNeeded(() => void client.invalidateQueries({ queryKey }))
  }, [client, studioId])
  const { data, error } = query
  useClearedStudio(studioId, data && data.open !== null)
  if (!data && !error) return <Loader />
  if (!data?.open)
    return renderOutside(
      <QueryBoundary query={query}>{(own) => <SupportRequestScreen studioId={studioId} own={own} />}</QueryBoundary>,
    )
  const { studioName, open, asked } = data
  return children(<SupportBanner studioId={studioId} studioName={studioName} open={open} hasAsked={asked !== null} />)
}

/**
 * Opens a studio to administrators only while they have access, and shows them a screen to ask for it otherwise. It closes live: a refused
 * call makes it look again. The owners of the studio see who has access. The server checks every call itself.
 */
export const SupportGate = ({ studioId, renderOutside, children }: SupportGateProps) => {
  if (!useIsAdministrator()) return children(<SupportNotices studioId={studioId} />)
  return (
    <AdministratorGate key={studioId} studioId={studioId} renderOutside={renderOutside}>
      {children}
    </AdministratorGate>
  )
}
