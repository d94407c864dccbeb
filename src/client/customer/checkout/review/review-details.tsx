import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { PostalAddress } from '#client/customer/shared/order/postal-address.tsx'
import { batchShippingLabel } from '#domain/pricing/shipping.ts'
import { urls } from '#platform/urls.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import type { ChosenCard } from '../card/chosen-card.ts'
import styles from '../checkout.module.css'
import { type CheckoutFormValues, mailingAddress } from '../form/checkout-form-values.ts'

type ReviewLink = 'home' | 'batch' | 'downloads'
type ReviewFactsProps = {
  event: JobContextValue
  form: CheckoutFormValues
  delivery: ReviewLink
  card: ChosenCard | null
}

const wayWords = {
  batch: `${batchShippingLabel}: handed out with everybody’s`,
  downloads: 'All downloads: nothing is mailed',
} as const

/** The customer, the delivery and the card; each links back to where it is edited. */
export const ReviewDetails = ({ event, form, delivery, card }: ReviewFactsProps) => {
  const { customer, sameAsBilling } = form
  const { firstName, lastName, email, phone } = customer
  const to = mailingAddress(form)
  const change = urls.checkout(event)
  return (
    <div className={styles.facts}>
      <Fact title="You" change={change}>
        <p>
          {firstName} {lastName}
          <br />
          {email}
          <br />
          {phone}
        </p>
      </Fact>
      <Fact title={delivery === 'home' ? 'Mailed to' : 'Delivery'} change={change}>
        {delivery === 'home' ? (
          <PostalAddress address={sameAsBilling ? { ...to, firstName, lastName } : to} />
        ) : (
          <p>{wayWords[delivery]}</p>
        )}
      </Fact>
      {card && (
        <Fact title="Card" change={change}>
          <p>Card ending {card.ending}</p>
        </Fact>
      )}
    </div>
  )
}

const Fact = ({ title, change, children }: { title: string; change: string; children: ReactNode }) => (
  <section className={styles.fact}>
    <h2>{title}</h2>
    <Link href={change} className={styles.change}>
      Change<VisuallyHidden> {title}</VisuallyHidden>
    </Link>
    {children}
  </section>
)
