import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { lineByNumber } from '../../../local/cart.ts'
import { local } from '../../device/local.ts'
import { type CartPackageRoute, urls } from '../../shell/urls.ts'
import { toastError } from '../../ui/toast.ts'
import { useKept } from '../use-kept.ts'
import { EditLine } from './edit-line.tsx'
import { PersonLoading } from './person-states.tsx'
import { usePerson } from './use-person.ts'

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
  const kept = useKept(key)
  const [saved, setSaved] = useState(false)
  if (found && !found.line && !saved) return <Unknown {...route} />
  if (!found?.line || !line || !kept) return <PersonLoading />
  // The pictures to choose from may be out of reach; those of the line itself are always here.
  if (!known.images && known.loading) return <PersonLoading />
  return (
    <EditLine
      key={line.lineId}
      route={route}
      line={line}
      orderMethod={found.line.orderMethod}
      known={known.person}
      images={known.images}
      kept={kept.value}
      draftKey={key}
      onSaved={() => setSaved(true)}
    />
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
