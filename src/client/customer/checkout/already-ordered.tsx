import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { surviving } from '../../../local/surviving.ts'
import { local, stamp } from '../../device/local.ts'
import { urls } from '../../shell/urls.ts'
import { Loader } from '../../ui/loader.tsx'
import type { CustomerEvent } from '../event.tsx'
import { forgetCard } from './chosen-card.ts'
import { keepOrdered } from './payment.ts'

type AlreadyOrderedProps = { event: CustomerEvent; orderNumber: string }

/** The server says that this cart became an order, here or in another tab: the device follows, and shows it. */
export const AlreadyOrdered = ({ event, orderNumber }: AlreadyOrderedProps) => {
  const { studioSlug, jobId, orderMethod } = event
  const [, navigate] = useLocation()
  useEffect(() => {
    const follow = async () => {
      await surviving(local, () => keepOrdered(local, stamp, { jobId, orderMethod, orderNumber }))
      forgetCard({ jobId, orderMethod })
      navigate(urls.order({ studioSlug, jobId, orderNumber }), { replace: true })
    }
    void follow()
  }, [studioSlug, jobId, orderMethod, orderNumber, navigate])
  return <Loader label="Opening your order" />
}
