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
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const pause = setTimeout(() => setAsked(typed), pauseMs)
    return () => clearTimeout(pause)
  }, [typed])
  const isWorthAsking = asked !== '' && asked !== own?.name
  const { data, isPlaceholder: isOld } = useStaffQuery(checkOrganizationName, {
    params: { studioId },
    query: { name: asked, ...(own && { organizationId: own.id }) },
    enabled: isWorthAsking,
  })
  // The response belongs to an earlier name.
  if (!data || isOld || !isWorthAsking || asked !== typed) return null
  return data.message === null ? 'free' : { message: data.message }
}
