import { createContext, use } from 'react'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { useOptionalJobContext } from '../shared/job/job-context.tsx'

/** For screens of an order, which stand outside of an event whose code nobody gave here. */
export const OrganizationTypeContext = createContext<OrganizationType | null>(null)

/** Whether it is a school or a team: crops differ. */
export const useOrganizationType = (): OrganizationType => {
  const given = use(OrganizationTypeContext)
  const event = useOptionalJobContext()
  const known = given ?? event?.job.organizationType
  if (!known) throw new Error('No event and no order')
  return known
}
