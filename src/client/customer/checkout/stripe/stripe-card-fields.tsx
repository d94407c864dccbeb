import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { ChosenCard } from '../card/chosen-card.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import type { StripeAccount } from './load-stripe.ts'
import styles from './stripe-card-fields.module.css'
import { type StripeForm, useStripeForm } from './use-stripe-form.ts'

/** Tokenizes the input of Stripe's form; null if it is not valid yet, which the form shows. */
export type CardTokenizer = { tokenize: (form: CheckoutFormValues) => Promise<ChosenCard | null> }

type StripeCardProps = {
  account: StripeAccount
  /** The total, if known yet, for a wallet's payment sheet. */
  cents: number | undefined
  /** Another card was requested: the form takes the focus once loaded, then calls `onFocused`. */
  focus: boolean
  onFocused: () => void
  ref: Ref<CardTokenizer>
}

const unreachable = 'The card could not be checked. Is there a connection? Please try again.'

const detailsOf = ({ customer, billingAddress: address }: CheckoutFormValues) => ({
  name: `${customer.firstName} ${customer.lastName}`.trim(),
  email: customer.email.trim(),
  phone: customer.phone.trim(),
  address: {
    line1: address.address1.trim(),
    line2: address.address2.trim(),
    city: address.city.trim(),
    state: address.state,
    postal_code: address.zip.trim(),
    country: 'US',
  },
})

type MountedForm = ChosenCard | { problem: string | null }

const makeCard = async ({ stripe, elements }: StripeForm, form: CheckoutFormValues): Promise<MountedForm> => {
  // A wallet opens its sheet here: nothing may be awaited between the tap and this call.
  const { error: incomplete } = await elements.submit()
  if (incomplete)
    return { problem: incomplete.type === 'validation_error' ? null : (incomplete.message ?? unreachable) }
  const params = { payment_method_data: { billing_details: detailsOf(form) } }
  const { error, confirmationToken } = await stripe.createConfirmationToken({ elements, params })
  if (error) return { problem: error.message ?? unreachable }
  return { token: confirmationToken.id, ending: confirmationToken.payment_method_preview.card?.last4 ?? '' }
}

/** Cards and wallets in Stripe's own form: its input never reaches this page. */
export const StripeCardFields = ({ account, cents, focus, onFocused, ref }: StripeCardProps) => {
  const container = useRef<HTMLDivElement>(null)
  const { form, state, again: retry } = useStripeForm(container, { ...account, cents })
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    if (!focus || state !== 'ready') return
    form.current?.element.focus()
    onFocused()
  }, [focus, state, form, onFocused])

  useImperativeHandle(ref, () => ({
    tokenize: async (typed) => {
      setProblem(null)
      if (!form.current) {
        setProblem('The card form is not here yet. Please try again in a moment.')
        return null
      }
      const made = await makeCard(form.current, typed).catch((): MountedForm => ({ problem: unreachable }))
      if ('token' in made) return made
      setProblem(made.problem)
      return null
    },
  }))

  return (
    <>
      <div className={styles.place} data-state={state}>
        {state === 'loading' && <Loader size="2x" label="Getting the card form" />}
        <div ref={container} />
      </div>
      {state === 'failed' && (
        <Notice
          tone="attention"
          title="The card form could not be loaded"
          action={
            <Button variant="secondary" size="sm" onClick={retry}>
              Try again
            </Button>
          }
        >
          It comes over the network. Everything else you typed is kept.
        </Notice>
      )}
      <div role="alert">{problem && <Notice tone="attention">{problem}</Notice>}</div>
    </>
  )
}
