import { useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { checkOrganizationName } from '#contract/studio/organizations.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'

/** Debounce in milliseconds before the server checks the name. */
const pauseMs = 300

type NameCheckOptions = {
  studioId: number
  /** The typed name. */
  name: string
  /** The organization that already has this name. */
  own?: { id: number; name: string }
}

/** Result of the name check: a message, `free`, or null if there is no result yet. */
export const useOrganizationNameCheck = ({
  studioId,
  name,
  own,
}: NameCheckOptions): { message: string } | 'free' | null => {
  const typed = normaliseOrganizationName(name)
  const [requestedName, setRequestedName] = useState(typed)
  useEffect(() => {
    const pause = setTimeout(() => setRequestedName(typed), pauseMs)
    return () => clearTimeout(pause)
  }, [typed])
  const isWorthAsking = requestedName !== '' && requestedName !== own?.name
  const { data, isPlaceholder: isOld } = useStaffQuery(checkOrganizationName, {
    params: { studioId },
    query: { name: requestedName, ...(own && { organizationId: own.id }) },
    enabled: isWorthAsking,
  })
  // The response belongs to an earlier name.
  if (!data || isOld || !isWorthAsking || requestedName !== typed) return null
  return data.message === null ? 'free' : { message: data.message }
}
