import { useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { checkOrganizationName } from '#contract/studio/organizations.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'

/** Debounce in milliseconds before the server checks the name. */
const debounceMs = 300

type NameCheckOptions = {
  studioId: number
  /** The typed name. */
  name: string
  /** The organization that is being edited. Its current name is not checked. */
  organization?: { id: number; name: string }
}

/** Result of the name check: a message, `free`, or null if there is no result yet. */
export const useOrganizationNameCheck = ({
  studioId,
  name,
  organization,
}: NameCheckOptions): { message: string } | 'free' | null => {
  const normalizedName = normaliseOrganizationName(name)
  const [requestedName, setRequestedName] = useState(normalizedName)
  useEffect(() => {
    const timeout = setTimeout(() => setRequestedName(normalizedName), debounceMs)
    return () => clearTimeout(timeout)
  }, [normalizedName])
  const needsCheck = requestedName !== '' && requestedName !== organization?.name
  const { data, isPlaceholder } = useStaffQuery(checkOrganizationName, {
    params: { studioId },
    query: { name: requestedName, ...(organization && { organizationId: organization.id }) },
    enabled: needsCheck,
  })
  // Ignores the response for an earlier name.
  if (!data || isPlaceholder || !needsCheck || requestedName !== normalizedName) return null
  return data.message === null ? 'free' : { message: data.message }
}
