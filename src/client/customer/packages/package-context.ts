import { createContext, use } from 'react'
import type { GrantedSubject } from '#contract/shapes/job-structs.ts'
import type { DataField } from '#domain/cart/cart.ts'
import type { AutofillSubject } from '#domain/catalogue/autofill.ts'
import type { OrganizationType } from '#domain/catalogue/catalogue.ts'
import { useOptionalJobContext } from '../shared/job/job-context.tsx'

/** For order screens, which are outside of a job and may have no access code. */
export const OrganizationTypeContext = createContext<OrganizationType | null>(null)

/** Whether the job is for a school or a team, which affects crops. */
export const useOrganizationType = (): OrganizationType => {
  const type = use(OrganizationTypeContext)
  const job = useOptionalJobContext()
  const organizationType = type ?? job?.job.organizationType
  if (!organizationType) throw new Error('useOrganizationType needs a job or an order around it')
  return organizationType
}

/** The subject of a package. */
export type PackageSubject = AutofillSubject & {
  subjectId: number | null
  personId: string | null
  imageThumbnailUrl: string | null
  /** Their yearbook image when the subject was loaded; the cart's value is newer. */
  yearBookImageId?: number | null | undefined
  /** The customer's answers from before picture day; null if this device has none. */
  dataFields: DataField[] | null
}

export const toPackageSubject = ({
  id,
  firstName,
  lastName,
  fields,
  imageThumbnailUrl,
  yearBookImageId,
}: GrantedSubject): Omit<PackageSubject, 'dataFields'> => ({
  subjectId: id,
  personId: null,
  firstName,
  lastName,
  fields,
  imageThumbnailUrl,
  yearBookImageId,
})
