import { useEffect, useRef, useState } from 'react'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import { deletePromotionCode, postPromotionCode } from '#contract/customer/promotion-codes.ts'
import { retryPolicy } from '#domain/shared/retry-policy.ts'
import { checkoutIdFor } from '#local/checkout.ts'
import { withDatabaseRetry } from '#local/recovery/with-database-retry.ts'
import type { CallFailure, CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { database, stamp } from '#platform/database.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import styles from '../checkout.module.css'
import type { CheckoutPricing } from '../use-checkout-pricing.ts'
import type { CheckoutFormState } from './checkout-field.tsx'

const unreachable = 'We can’t reach the studio right now. Your code is saved; try again in a moment'

const failureMessageOf = ({ status, problem, errors }: CallFailure): string =>
  retryPolicy(status, problem ?? null) === 'retry' && problem !== 'slow-down' ? unreachable : errors.join(' ')

type PromotionCodeProps = {
  job: JobContextValue
  fields: CheckoutFormState
  pricing: CheckoutPricing
  /** Whether the customer just opened the field, so that it gets the focus. */
  focus: boolean
  /** A code was removed: the customer may want to enter another. */
  onRemoved: () => void
}

/** The order's promotion code: the applied one with a remove button, or a field to enter one. */
export const PromotionCode = (props: PromotionCodeProps) => {
  const promotion = props.pricing.checkout?.promotion
  return promotion ? <AppliedCode {...props} {...promotion} /> : <CodeEntry {...props} />
}

/** Sends one request at a time. Shows an error message on failure and refreshes the totals on success. */
const useCodeRequest = (pricing: CheckoutPricing) => {
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const sendRequest = async (request: Promise<CallResult<unknown>>, onDone: () => void) => {
    setIsBusy(true)
    const response = await request
    setIsBusy(false)
    if (!response.ok) return setError(failureMessageOf(response))
    onDone()
    pricing.refetch()
  }
  return { isBusy, error, setError, sendRequest }
}

type AppliedCodeProps = PromotionCodeProps & { code: string; why: string | null }

const AppliedCode = ({ job: { jobId, orderMethod }, pricing, code, why, focus, onRemoved }: AppliedCodeProps) => {
  const container = useRef<HTMLElement>(null)
  // After entering the code, keyboard focus continues at the applied code.
  // biome-ignore lint/correctness/useExhaustiveDependencies(focus): the focus moves once, when the code appears
  useEffect(() => {
    if (focus) container.current?.focus()
  }, [])
  const { isBusy, error, sendRequest } = useCodeRequest(pricing)
  const remove = () =>
    sendRequest(callApi(deletePromotionCode, { params: { jobId }, query: { orderMethod } }), onRemoved)
  return (
    <section ref={container} tabIndex={-1} className={styles.appliedCode} aria-label="Promotion code">
      <div className={styles.line}>
        <span>
          Promotion code <strong>{code}</strong>
        </span>
        <Button variant="secondary" size="sm" loading={isBusy} onClick={() => void remove()}>
          Remove<VisuallyHidden> promotion code {code}</VisuallyHidden>
        </Button>
      </div>
      {why && <Notice tone="attention">{why}</Notice>}
      {error && <Notice tone="attention">{error}</Notice>}
    </section>
  )
}

const CodeEntry = ({ job: { jobId, orderMethod }, fields, pricing, focus }: PromotionCodeProps) => {
  const { isBusy, error, setError, sendRequest } = useCodeRequest(pricing)
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies(focus): the focus moves once, when the field appears
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [])
  const text = fields.form.promoCode
  const change = (promoCode: string) => {
    setError(null)
    fields.change((before) => ({ ...before, promoCode }))
  }
  const apply = async () => {
    if (text.trim() === '') return setError('Please enter your code')
    const checkoutId = await withDatabaseRetry(database, () => checkoutIdFor(database, stamp, { jobId, orderMethod }))
    if (typeof checkoutId !== 'string') return
    const body = { code: text, orderMethod, checkoutId }
    await sendRequest(callApi(postPromotionCode, { params: { jobId }, body }), () => change(''))
  }
  return (
    <Form className={styles.codeForm} onSubmit={() => void apply()} aria-label="Promotion code">
      <Field label="Promotion code" optional errors={error ? [error] : []}>
        <TextInput
          ref={field}
          name="promoCode"
          value={text}
          onValue={change}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </Field>
      <Button type="submit" variant="secondary" className={styles.apply} loading={isBusy}>
        Apply
      </Button>
    </Form>
  )
}
