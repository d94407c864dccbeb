import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { surviving } from '../../../local/surviving.ts'
import { local, stamp } from '../../device/local.ts'
import { urls } from '../../shell/urls.ts'
import { Loader } from '../../ui/loader.tsx'
import type { CustomerEvent } from '../event.tsx'
import { forgetCard } from './chosen-card.ts'
import { settleOrdered } from './settle-here.ts'

type AlreadyOrderedProps = { event: CustomerEvent; checkoutId: string; orderNumber: string }

/** The server says that this cart became an order, here or in another tab: the device follows, and shows it. */
export const AlreadyOrdered = ({ event, checkoutId, orderNumber }: AlreadyOrderedProps) => {
  const { studioSlug, jobId, orderMethod } = event
  const [, navigate] = useLocation()
  useEffect(() => {
    const follow = async () => {
      await surviving(local, () => settleOrdered(local, stamp, { jobId, orderMethod, checkoutId, orderNumber }))
      forgetCard({ jobId, orderMethod })
      navigate(urls.order({ studioSlug, jobId, orderNumber }), { replace: true })
    }
    void follow()
  }, [studioSlug, jobId, orderMethod, checkoutId, orderNumber, navigate])
  return <Loader label="Opening your order" />
}
