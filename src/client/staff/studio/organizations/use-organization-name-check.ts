import { useEffect, useState } from 'react'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { checkOrganizationName } from '#contract/studio/organizations.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'

/** Milliseconds without a letter after which the server is asked. */
const pauseMs = 300

type NameCheckOptions = {
  studioId: number
  /** The name as it is typed. */
  name: string
  /** The organization whose name it may be. */
  own?: { id: number; name: string }
}

/** What the server says of a name while it is typed: the sentence against it, `free`, or null while nothing is known or worth a word. */
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
  // What was answered to an earlier name says nothing of this one.
  if (!data || isOld || !isWorthAsking || asked !== typed) return null
  return data.message === null ? 'free' : { message: data.message }
}
