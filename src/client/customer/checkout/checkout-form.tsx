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
import { WalletSection } from './card/wallet-section.tsx'
import styles from './checkout.module.css'
import { calculatingTotals } from './checkout-blocker.ts'
import { blockerElementId, CheckoutBlockerNotice } from './checkout-blocker-notice.tsx'
import { AddressFields } from './form/address-fields.tsx'
import type { CheckoutFormState } from './form/checkout-field.tsx'
import { validateCheckoutForm } from './form/checkout-form-rules.ts'
import type { CheckoutFormValues } from './form/checkout-form-values.ts'
import { CustomerFields } from './form/customer-fields.tsx'
import { DeliveryFields } from './form/delivery-fields.tsx'
import { ErrorSummary } from './form/error-summary.tsx'
import { useContinueToReview } from './form/use-continue-to-review.ts'
import { CheckoutTotals, OrderContents } from './order-contents.tsx'
import { TrustStrip } from './trust-strip.tsx'
import { amountLabel, type CheckoutState } from './use-checkout.ts'
import type { CheckoutPricing } from './use-checkout-pricing.ts'

const PromotionCode = lazy(async () => ({ default: (await import('./form/promotion-code.tsx')).PromotionCode }))

const formId = 'checkout'

/** Submits the form as its button does, so that the fields with errors are shown. */
const submitForm = (): void => document.querySelector<HTMLFormElement>(`#${formId}`)?.requestSubmit()

const noErrors: FieldErrors = {}

type CheckoutFormProps = {
  job: JobContextValue
  checkoutState: CheckoutState & { cart: NonNullable<CheckoutState['cart']> }
  form: CheckoutFormValues
}

/** The checkout on one page. Errors show after the first submit, and disappear as they are fixed. */
export const CheckoutForm = ({ job, checkoutState, form }: CheckoutFormProps) => {
  const { draft, delivery, pricing, displayedTotals, isTaxKnown, blocker, cart } = checkoutState
  const { jobId } = job
  const { checkout } = pricing
  const card = useCard(job, checkout)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const services = useOrderedServices(job, cart.cart)
  const { isWaiting, continueToReview } = useContinueToReview({ job, checkoutState, form })

  const isFree = pricing.lastTotals?.totalCents === 0
  const errors = validateCheckoutForm({ ...form, delivery: delivery.delivery })
  const cardErrors = isFree ? noErrors : card.errors
  const isFormValid = isValid(errors) && isValid(cardErrors)
  const isBlocked = blocker !== null && blocker !== calculatingTotals
  const fields = { form, change: draft.change, errors: isSubmitted ? errors : noErrors }
  const cents = displayedTotals?.totalCents ?? cart.totalCents

  const submit = async () => {
    setIsSubmitted(true)
    if (!isFormValid || card.isTokenizing) return
    if (!isFree && card.chosen === null && !card.payment) {
      void draft.flush()
      return toast((blocker ?? calculatingTotals).message)
    }
    if (isFree || (await card.choose(form))) void continueToReview()
  }

  return (
    <>
      <div className={styles.columns}>
        <OrderContents {...{ cart, services, cents }} isTaxKnown={isTaxKnown || !displayedTotals} />
        <Form
          id={formId}
          className={styles.form}
          onSubmit={() => void submit()}
          error={isSubmitted && !isFormValid ? fixFieldsMessage : null}
          details={<ErrorSummary errors={{ ...errors, ...withPrefix(cardErrors) }} />}
        >
          {!isFree && <WalletSection {...{ card, checkoutState }} cartKey={job} onFilledIn={submitForm} />}
          <CustomerFields fields={fields} />
          <BillingAddress jobId={jobId} fields={fields} />
          <DeliveryFields {...{ jobId, fields, delivery, checkout }} hasPrints={hasPrints(cart.cart)} />
          {isFree ? (
            <p>Nothing to pay, so no card is needed.</p>
          ) : (
            <CardSection
              {...{ job, card }}
              errors={isSubmitted ? cardErrors : noErrors}
              totalCents={pricing.lastTotals?.totalCents}
            />
          )}
          <TrustStrip job={job} cart={cart.cart} takesCard={!isFree} cardNumber={card.input.number} />
        </Form>
        <div className={styles.aside}>
          <CheckoutTotals {...{ cart, isTaxKnown }} totals={displayedTotals} shippingName={delivery.shippingName} />
          <Promotion {...{ job, fields, pricing }} />
          <CheckoutBlockerNotice blocker={blocker} route={job} />
          <VisuallyHidden>
            <span role="status">{isWaiting && calculatingTotals.message}</span>
          </VisuallyHidden>
        </div>
      </div>
      <BottomBar label={amountLabel(checkoutState)} cents={cents}>
        <Button
          type="submit"
          form={formId}
          size="lg"
          loading={isWaiting || card.isTokenizing}
          aria-disabled={isBlocked || undefined}
          aria-describedby={isBlocked ? blockerElementId : undefined}
        >
          Review order
        </Button>
      </BottomBar>
    </>
  )
}

const BillingAddress = ({ jobId, fields }: { jobId: number; fields: CheckoutFormState }) => (
  <section className={styles.section} aria-labelledby="checkout-billing">
    <h2 id="checkout-billing">Billing address</h2>
    <AddressFields jobId={jobId} fields={fields} part="billingAddress" />
  </section>
)

type PromotionProps = { job: JobContextValue; fields: CheckoutFormState; pricing: CheckoutPricing }

/** The field for a promotion code, once the customer asks for it or has a code. */
const Promotion = ({ job, fields, pricing }: PromotionProps) => {
  const [wantsCode, setWantsCode] = useState(false)
  const promotion = pricing.checkout?.promotion
  if (promotion === undefined) return null
  if (!wantsCode && fields.form.promoCode === '' && promotion === null) {
    return (
      <Button variant="quiet" onClick={() => setWantsCode(true)}>
        Add a promotion code
      </Button>
    )
  }
  return (
    <Suspense>
      <PromotionCode {...{ job, fields, pricing }} focus={wantsCode} onRemoved={() => setWantsCode(true)} />
    </Suspense>
  )
}

/** The card's errors, each with the id of its field. */
const withPrefix = (cardErrors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(cardErrors).map(([field, messages]) => [`card.${field}`, messages]))
