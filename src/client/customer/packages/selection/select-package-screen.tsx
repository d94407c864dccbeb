import { useEffect, useMemo } from 'react'
import { Redirect } from 'wouter'
import { useCart } from '#client/customer/shared/cart/use-cart.ts'
import { WithSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { UnknownSubject } from '#client/customer/shared/errors/lazy-error-screens.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { useJobFields } from '#client/customer/shared/job/use-job-fields.ts'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import type { Cart } from '#domain/cart/cart.ts'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { prefetchSubject } from '#platform/service-worker/prefetch.ts'
import { type SelectPackageRoute, urls } from '#platform/urls.ts'
import { isReplacement } from '../images/node-images.ts'
import { selectionDraftKey } from '../offers/package-selection.ts'
import type { PackageSubject } from '../package-context.ts'
import { SubjectLoadError, SubjectLoading } from '../subject-states.tsx'
import { usePackageSubject } from '../use-package-subject.ts'
import { SelectPackage } from './select-package.tsx'

/** Whether the customer has yet to answer the job's custom fields for this subject, before its first package. */
const needsAnswers = (
  { subjectId, dataFields }: PackageSubject,
  { fields = [], cart }: { fields: readonly CustomField[] | undefined; cart: Cart },
): boolean =>
  fields.length > 0 && dataFields === null && !cart.cartPackages.some((line) => line.subjectId === subjectId)

/** The subject's large image, then the packages as previews. */
export const SelectPackageScreen = (route: SelectPackageRoute) => {
  const { jobId, subjectId } = route
  const { orderMethod, studio, studioSlug } = useJobContext()
  const studioId = studio.id
  useEffect(() => prefetchSubject({ studioSlug, studioId, jobId, subjectId }), [studioSlug, studioId, jobId, subjectId])
  const subjectResult = usePackageSubject(jobId, { subjectId })
  const packages = useQuery(listPackages, { params: { jobId }, query: { orderMethod } })
  const cart = useCart(jobId, orderMethod)?.cart
  const fields = useJobFields()
  const { subject, images } = subjectResult
  const poses = useMemo(() => images?.filter((image) => !isReplacement(image)), [images])
  if (subjectResult.isUnknown) return <UnknownSubject {...route} />
  const problem = subjectResult.problem ?? (packages.data ? undefined : packages.problem)
  if (problem) {
    const retry = () => {
      subjectResult.refetch()
      packages.refetch()
    }
    return <SubjectLoadError route={route} problem={problem} retry={retry} />
  }
  if (!subject || !poses || !packages.data || !cart || fields.loading) return <SubjectLoading />
  if (needsAnswers(subject, { fields: fields.data, cart })) return <Redirect to={urls.personDetails(route)} replace />
  const key = selectionDraftKey(route)
  const offeredPackages = packages.data
  return (
    <WithSavedDraft key={key} draftKey={key} loading={<SubjectLoading />}>
      {(draft) => <SelectPackage {...{ route, cart, draft, subject, offeredPackages }} images={poses} draftKey={key} />}
    </WithSavedDraft>
  )
}
