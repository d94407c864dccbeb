import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { PostalAddress } from '#client/customer/shared/order/postal-address.tsx'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { urls } from '#platform/urls.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import type { ChosenCard } from '../card/chosen-card.ts'
import styles from '../checkout.module.css'
import { type CheckoutFormValues, mailingAddress, splitName } from '../form/checkout-form-values.ts'

type ReviewDelivery = 'home' | 'batch' | 'downloads'
type ReviewDetailsProps = {
  job: JobContextValue
  form: CheckoutFormValues
  delivery: ReviewDelivery
  /** When the order arrives. */
  arrival: string | undefined
  card: ChosenCard | null
}

const deliveryText = (delivery: 'batch' | 'downloads', arrival: string | undefined): string =>
  delivery === 'batch'
    ? `${batchShippingLabel}: ${arrival ?? 'handed out by the studio or school'}`
    : 'Digital only, no shipping'

/** The customer, the delivery and the card; each links back to where it is edited. */
export const ReviewDetails = ({ job, form, delivery, arrival, card }: ReviewDetailsProps) => {
  const { customer, sameAsBilling } = form
  const { name, email, phone } = customer
  const address = mailingAddress(form)
  const changeUrl = urls.checkout(job)
  return (
    <div className={styles.details}>
      <DetailSection title="Contact" changeUrl={changeUrl}>
        <p>
          {name}
          <br />
          {email}
          <br />
          {phone}
        </p>
      </DetailSection>
      <DetailSection title={delivery === 'home' ? 'Ship to' : 'Delivery'} changeUrl={changeUrl}>
        {delivery === 'home' ? (
          <>
            <PostalAddress address={{ ...address, ...splitName(sameAsBilling ? name : address.name) }} />
            {arrival && <p>{arrival}</p>}
          </>
        ) : (
          <p>{deliveryText(delivery, arrival)}</p>
        )}
      </DetailSection>
      {card && (
        <DetailSection title="Card" changeUrl={changeUrl}>
          <p>Card ending {card.ending}</p>
        </DetailSection>
      )}
    </div>
  )
}

const DetailSection = ({ title, changeUrl, children }: { title: string; changeUrl: string; children: ReactNode }) => (
  <section className={styles.detail}>
    <h2>{title}</h2>
    <Link href={changeUrl} className={styles.change}>
      Change<VisuallyHidden> {title}</VisuallyHidden>
    </Link>
    {children}
  </section>
)
