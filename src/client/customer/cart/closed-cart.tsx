import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { CartView } from '#local/store/cart-view.ts'
import { Price } from '#ui/price.tsx'
import { methodClosedReason, unavailableTitle } from '../shared/job/entry-guard.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import { OrderingUnavailableNotice } from '../shared/job/ordering-unavailable-notice.tsx'
import { useOfferedServices } from '../shared/order-services/use-offered-services.ts'
import { BriefLines } from './brief-lines.tsx'
import styles from './cart.module.css'
import { RejectedChanges } from './rejected-changes.tsx'

const titles = {
  prepay: 'Chosen before picture day',
  gallery: 'Chosen from your photos',
} as const satisfies Record<OrderMethod, string>

/** A read-only cart whose order method has closed. The server accepts no more changes to it. */
export const ClosedCart = ({ view }: { view: CartView }) => {
  const job = useJobContext()
  const services = useOfferedServices()
  const { jobId, orderMethod } = view.cart
  const reason = methodClosedReason(job.availability, orderMethod, new Date().toISOString())
  return (
    <section aria-labelledby="closed-cart" className={styles.closed}>
      <h2 id="closed-cart">{titles[orderMethod]}</h2>
      <OrderingUnavailableNotice
        job={{ ...job, closedReason: reason && unavailableTitle(reason) }}
        totalCents={view.totalCents}
      />
      <RejectedChanges cartKey={{ jobId, orderMethod }} view={view} />
      {view.lines.length > 0 && (
        <>
          <BriefLines view={view} offeredServices={services.data} />
          <dl className={styles.closedTotal}>
            <dt>Total</dt>
            <dd>
              <Price cents={view.totalCents} />
            </dd>
          </dl>
        </>
      )}
    </section>
  )
}
