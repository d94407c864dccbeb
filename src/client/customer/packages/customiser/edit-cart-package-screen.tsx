import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { WithKept } from '#client/customer/shared/drafts/with-saved-draft.tsx'
import { lineByNumber } from '#local/cart.ts'
import { local } from '#platform/database.ts'
import { type CartPackageRoute, urls } from '#platform/urls.ts'
import { toastError } from '#ui/toast/toast.ts'
import { PersonLoading } from '../subject-states.tsx'
import { usePerson } from '../use-package-subject.ts'
import { EditLine } from './edit-cart-package.tsx'

/** A package of the cart, opened again by the number this device gave it. */
export const EditCartPackageScreen = (route: CartPackageRoute) => {
  const { jobId, cartPackageId } = route
  const found = useLiveQuery(
    async () => ({ line: await lineByNumber(local, jobId, cartPackageId) }),
    [jobId, cartPackageId],
  )
  const line = found?.line?.view.line
  const known = usePerson(jobId, { subjectId: line?.subjectId ?? null, personId: line?.personId ?? null })
  const key = `customise-line:${line?.lineId ?? ''}`
  const [saved, setSaved] = useState(false)
  if (found && !found.line && !saved) return <Unknown {...route} />
  if (!found?.line || !line) return <PersonLoading />
  // The pictures to choose from may be out of reach; those of the line itself are always here.
  if (!known.images && known.loading) return <PersonLoading />
  const { orderMethod } = found.line
  return (
    <WithKept key={key} draftKey={key} loading={<PersonLoading />}>
      {(kept) => (
        <EditLine
          {...{ route, line, orderMethod, kept }}
          known={known.person}
          images={known.images}
          draftKey={key}
          onSaved={() => setSaved(true)}
        />
      )}
    </WithKept>
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
