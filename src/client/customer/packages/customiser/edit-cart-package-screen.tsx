import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { WithSavedDraft } from '#client/customer/shared/drafts/with-saved-draft.tsx'
import { lineByNumber } from '#local/cart.ts'
import { database } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import { SubjectLoading } from '../subject-states.tsx'
import { usePackageSubject } from '../use-package-subject.ts'
import { EditCartPackage } from './edit-cart-package.tsx'

/** Reopens a cart package by the number this device gave it. */
export const EditCartPackageScreen = (route: CartPackageRoute) => {
  const { jobId, cartPackageId } = route
  const entry = useLiveQuery(
    async () => ({ line: await lineByNumber(database, jobId, cartPackageId) }),
    [jobId, cartPackageId],
  )
  const line = entry?.line?.view.line
  const known = usePackageSubject(jobId, { subjectId: line?.subjectId ?? null, personId: line?.personId ?? null })
  const key = `customise-line:${line?.lineId ?? ''}`
  const [saved, setSaved] = useState(false)
  if (entry && !entry.line && !saved) return <Unknown {...route} />
  if (!entry?.line || !line) return <SubjectLoading />
  // The selectable images may be unavailable; those of the line itself always are.
  if (!known.images && known.loading) return <SubjectLoading />
  const { orderMethod } = entry.line
  return (
    <WithSavedDraft key={key} draftKey={key} loading={<SubjectLoading />}>
      {(draft) => (
        <EditCartPackage
          {...{ route, line, orderMethod, draft }}
          known={known.person}
          images={known.images}
          draftKey={key}
          onSaved={() => setSaved(true)}
        />
      )}
    </WithSavedDraft>
  )
}

const Unknown = (route: CartPackageRoute) => {
  const [, navigate] = useLocation()
  const cart = urls.cart(route)
  useEffect(() => {
    toastError(['That item is not in this cart'])
    navigate(cart, { replace: true })
  }, [cart, navigate])
  return null
}
