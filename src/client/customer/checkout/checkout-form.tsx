import { lazy, Suspense, useState } from 'react'
import { hasPrints } from '#domain/pricing/shipping.ts'
import { type FieldErrors, fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Form } from '#ui/form/form.tsx'
import { toast } from '#ui/toast/toast.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import type { JobContextValue } from '../shared/job/job-context.tsx'
import { BottomBar } from '../shared/layout/bottom-bar.tsx'
import { useOrderedServices } from '../shared/order-services/use-offered-services.ts'
import { CardSection } from './card/card-section.tsx'
import { useCard } from './card/use-card.ts'
import styles from './checkout.module.css'
import { calculatingTotals } from './checkout-blocker.ts'
import { blockerElementId, CheckoutBlockerNotice } from './checkout-blocker-notice.tsx'
import { CheckoutSummary } from './checkout-summary.tsx'
import { AddressFields } from './form/address-fields.tsx'
import { validateCheckoutForm } from './form/checkout-form-rules.ts'
import { type CheckoutFormValues as Typed, taxAddress } from './form/checkout-form-values.ts'
import { CustomerFields } from './form/customer-fields.tsx'
import { DeliveryFields } from './form/delivery-fields.tsx'
import { useContinueToReview } from './form/use-continue-to-review.ts'
import type { CheckoutState } from './use-checkout.ts'

const PromotionCode = lazy(async () => ({ default: (await import('./form/promotion-code.tsx')).PromotionCode }))

const formId = 'checkout'
const noErrors: FieldErrors = {}

type CheckoutFormProps = {
  event: JobContextValue
  now: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: Typed
}

/** The checkout on one page. Errors show after the first submit, and disappear as they are fixed. */
export const CheckoutForm = ({ event, now, form }: CheckoutFormProps) => {
  const { draft, delivery, priced, shown, blocker, cart } = now
  const card = useCard(event, priced.checkout)
  const [tried, setTried] = useState(false)
  const [wantsCode, setWantsCode] = useState(false)
  const services = useOrderedServices(event, cart.cart)
  const { waiting, goOn } = useContinueToReview({ event, now, form })

  const promotion = priced.checkout?.promotion
  const asksForCode = wantsCode || form.promoCode !== '' || promotion !== null
  const free = priced.lastTotals?.totalCents === 0
  const errors = validateCheckoutForm({ ...form, delivery: delivery.delivery })
  const cardErrors = free ? noErrors : card.errors
  const taxed = taxAddress(form, delivery.delivery).state !== ''
  const good = isValid(errors) && isValid(cardErrors)
  const isHeld = blocker !== null && blocker !== calculatingTotals
  const fields = { form, change: draft.change, errors: tried ? errors : noErrors }

  const submit = async () => {
    setTried(true)
    if (!good || card.isTokenizing) return
    // A wallet shows the amount that will be charged, so it must wait for the total.
    const isEarly = card.provider.by === 'unknown' || (card.provider.by === 'stripe' && !priced.totals)
    if (!free && card.chosen === null && isEarly) {
      void draft.flush()
      return toast((blocker ?? calculatingTotals).message)
    }
    if (free || (await card.choose(form))) void goOn()
  }

  return (
    <>
      <div className={styles.columns}>
        <Form
          id={formId}
          className={styles.form}
          onSubmit={() => void submit()}
          error={tried && !good ? fixFieldsMessage : null}
        >
          <CustomerFields fields={fields} />
          <section className={styles.section} aria-labelledby="checkout-billing">
            <h2 id="checkout-billing">Billing address</h2>
            <AddressFields jobId={event.jobId} fields={fields} part="billingAddress" />
          </section>
          <DeliveryFields
            jobId={event.jobId}
            fields={fields}
            delivery={delivery}
            checkout={priced.checkout}
            prints={hasPrints(cart.cart)}
          />
          {free && <p>There is nothing to pay, so no card is needed.</p>}
          {!free && (
            <CardSection
              event={event}
              card={card}
              errors={tried ? cardErrors : noErrors}
              cents={priced.lastTotals?.totalCents}
            />
          )}
        </Form>
        <div className={styles.aside}>
          <CheckoutSummary
            cart={cart}
            services={services}
            totals={shown}
            shippingName={delivery.shippingName}
            promotionCode={promotion?.code}
            taxed={taxed}
          />
          {promotion !== undefined && !asksForCode && (
            <Button variant="quiet" onClick={() => setWantsCode(true)}>
              Add a promotion code
            </Button>
          )}
          {promotion !== undefined && asksForCode && (
            <Suspense>
              <PromotionCode
                event={event}
                fields={fields}
                priced={priced}
                focus={wantsCode}
                onRemoved={() => setWantsCode(true)}
              />
            </Suspense>
          )}
          <CheckoutBlockerNotice blocker={blocker} event={event} />
          <VisuallyHidden>
            <span role="status">{waiting && calculatingTotals.message}</span>
          </VisuallyHidden>
        </div>
      </div>
      <BottomBar label={amountWords(now, taxed)} cents={shown?.totalCents ?? cart.totalCents}>
        <Button
          type="submit"
          form={formId}
          size="lg"
          loading={waiting || card.isTokenizing}
          aria-disabled={isHeld || undefined}
          aria-describedby={isHeld ? blockerElementId : undefined}
        >
          Review order
        </Button>
      </BottomBar>
    </>
  )
}

const amountWords = ({ shown, blocker }: CheckoutState, taxed: boolean): string => {
  if (shown && blocker === calculatingTotals) return blocker.short
  if (shown) return taxed ? 'Total' : 'Total before tax'
  return blocker ? `Estimate · ${blocker.short}` : 'Estimate'
}
