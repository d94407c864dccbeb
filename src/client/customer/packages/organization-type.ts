import { createContext, use } from 'react'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { useOptionalJobContext } from '../shared/job/job-context.tsx'

/** For order screens, which are outside of a job and may have no access code. */
export const OrganizationTypeContext = createContext<OrganizationType | null>(null)

/** Whether the job is for a school or a team, which affects crops. */
export const useOrganizationType = (): OrganizationType => {
  const type = use(OrganizationTypeContext)
  const job = useOptionalJobContext()
  const organizationType = type ?? job?.job.organizationType
  if (!organizationType) throw new Error('No event and no order')
  return organizationType
}
