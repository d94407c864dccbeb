import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { WithSavedDraft } from '#client/customer/shared/drafts/use-saved-draft.ts'
import { lineByNumber } from '#local/cart.ts'
import { database } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import { SubjectLoading } from '../subject-states.tsx'
import { usePackageSubject } from '../use-package-subject.ts'
import { EditCartPackage } from './edit-cart-package.tsx'

/** Reopens a cart package by its number on this device. */
export const EditCartPackageScreen = (route: CartPackageRoute) => {
  const { jobId, cartPackageId } = route
  const entry = useLiveQuery(
    async () => ({ line: await lineByNumber(database, jobId, cartPackageId) }),
    [jobId, cartPackageId],
  )
  const line = entry?.line?.view.line
  const subjectResult = usePackageSubject(jobId, {
    subjectId: line?.subjectId ?? null,
    personId: line?.personId ?? null,
  })
  const key = `customise-line:${line?.lineId ?? ''}`
  const [isSaved, setIsSaved] = useState(false)
  if (entry && !entry.line && !isSaved) return <UnknownCartPackage {...route} />
  if (!entry?.line || !line) return <SubjectLoading />
  // The selectable images may be unavailable; those of the line itself always are.
  if (!subjectResult.images && subjectResult.loading) return <SubjectLoading />
  const { orderMethod } = entry.line
  return (
    <WithSavedDraft key={key} draftKey={key} loading={<SubjectLoading />}>
      {(draft) => (
        <EditCartPackage
          {...{ route, line, orderMethod, draft }}
          loadedSubject={subjectResult.subject}
          images={subjectResult.images}
          draftKey={key}
          onSaved={() => setIsSaved(true)}
        />
      )}
    </WithSavedDraft>
  )
}

const UnknownCartPackage = (route: CartPackageRoute) => {
  const [, navigate] = useLocation()
  const cart = urls.cart(route)
  useEffect(() => {
    toastError(['That item is not in this cart'])
    navigate(cart, { replace: true })
  }, [cart, navigate])
  return null
}
