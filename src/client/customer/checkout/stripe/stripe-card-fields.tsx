import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import type { CardFieldsProps } from '../card/card-provider.ts'
import type { ChosenCard } from '../card/chosen-card.ts'
import type { CheckoutFormValues } from '../form/checkout-form-values.ts'
import styles from './stripe-card-fields.module.css'
import { type StripeForm, useStripeForm } from './use-stripe-form.ts'

const unreachable = 'We couldn’t check the card. Are you online? Please try again.'

const billingDetails = ({ customer, billingAddress: address }: CheckoutFormValues) => ({
  name: customer.name.trim(),
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

type TokenizeResult = ChosenCard | { problem: string | null }

const tokenizeCard = async ({ stripe, elements }: StripeForm, form: CheckoutFormValues): Promise<TokenizeResult> => {
  const { error: submitError } = await elements.submit()
  if (submitError)
    return { problem: submitError.type === 'validation_error' ? null : (submitError.message ?? unreachable) }
  const params = { payment_method_data: { billing_details: billingDetails(form) } }
  const { error, confirmationToken } = await stripe.createConfirmationToken({ elements, params })
  if (error) return { problem: error.message ?? unreachable }
  return { token: confirmationToken.id, ending: confirmationToken.payment_method_preview.card?.last4 ?? '' }
}

/** Cards in Stripe's own form: its input never reaches this page. */
export const StripeCardFields = ({ payment, cents, focus, onFocused, ref }: CardFieldsProps) => {
  const container = useRef<HTMLDivElement>(null)
  const { form, state, retry } = useStripeForm(container, { ...payment, cents })
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    if (!focus || state !== 'ready') return
    form.current?.element.focus()
    onFocused()
  }, [focus, state, form, onFocused])

  useImperativeHandle(ref, () => ({
    tokenize: async (formValues) => {
      setProblem(null)
      if (!form.current) {
        setProblem('The card form hasn’t loaded yet. Please try again in a moment.')
        return null
      }
      const result = await tokenizeCard(form.current, formValues).catch(
        (): TokenizeResult => ({ problem: unreachable }),
      )
      if ('token' in result) return result
      setProblem(result.problem)
      return null
    },
  }))

  return (
    <>
      <div className={styles.container} data-state={state}>
        {state === 'loading' && <Loader size="2x" label="Loading the card form" />}
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
          It needs a connection. Everything else you typed is saved.
        </Notice>
      )}
      <div role="alert">{problem && <Notice tone="attention">{problem}</Notice>}</div>
    </>
  )
}
