import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { validateAddress } from '#contract/customer/address-calls.ts'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../checkout.module.css'
import type { CheckoutFormState } from './checkout-field.tsx'
import type { AddressInput } from './checkout-form-values.ts'

type AddressValidation = Infer<(typeof validateAddress)['answer']>
type Suggestion = NonNullable<AddressValidation['suggestion']>
type AddressSuggestionProps = { jobId: number; fields: CheckoutFormState; part: 'billingAddress' | 'shippingAddress' }

/** Debounce in milliseconds before an address is validated. */
const debounceMs = 800

const serialize = ({ address1, address2, city, state, zip }: AddressInput): string =>
  JSON.stringify({ address1, address2, city, state, zip })

const isComplete = ({ address1, city, state, zip }: AddressInput): boolean =>
  [address1, city, state, zip].every((text) => text.trim() !== '') && zip.trim().length >= 5

/** The address errors that no form field shows already. */
const unshownFaults = ({ faults }: AddressValidation, errors: FieldErrors): string[] =>
  Object.values(faults).filter((fault) => fault !== undefined && !Object.values(errors).flat().includes(fault))

/**
 * Suggests the postal service's form of the address: one tap accepts it, and a dismissed one is not shown again. Errors
 * stay until they are fixed. Shows nothing if validation is unavailable, and never blocks checkout.
 */
export const AddressSuggestion = ({ jobId, fields, part }: AddressSuggestionProps) => {
  const input = fields.form[part]
  const serialized = isComplete(input) ? serialize(input) : null
  const [response, setResponse] = useState<{ serialized: string; validation: AddressValidation }>()
  const [dismissedInputs, setDismissedInputs] = useState<readonly string[]>([])
  const inputToValidate = serialized === null || dismissedInputs.includes(serialized) ? null : serialized
  useEffect(() => {
    if (inputToValidate === null) return
    const controller = new AbortController()
    const check = async () => {
      const body = JSON.parse(inputToValidate) as Suggestion // serialized above
      const result = await callApi(validateAddress, { params: { jobId }, body, signal: controller.signal })
      if (result.ok && !controller.signal.aborted) setResponse({ serialized: inputToValidate, validation: result.data })
    }
    const timer = setTimeout(() => void check(), debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [jobId, inputToValidate])

  const validation =
    inputToValidate !== null && response?.serialized === inputToValidate ? response.validation : undefined
  if (!validation || inputToValidate === null) return null
  const dismiss = () => setDismissedInputs((before) => [...before, inputToValidate])
  const { suggestion, warning } = validation
  const faults = unshownFaults(validation, fields.errors)
  if (!suggestion) {
    if (faults.length > 0) return <Notice tone="attention">{faults.join('. ')}</Notice>
    return (
      warning && (
        <Notice tone="attention" onDismiss={dismiss}>
          {warning}
        </Notice>
      )
    )
  }
  const accept = () => fields.change((before) => ({ ...before, [part]: { ...before[part], ...suggestion } }))
  const { address1, address2, city, state, zip } = suggestion
  return (
    <Notice
      title="Suggested address"
      action={
        <div className={styles.line}>
          <Button size="sm" onClick={accept}>
            Use this address
          </Button>
          {faults.length === 0 && (
            <Button size="sm" variant="secondary" onClick={dismiss}>
              Keep mine
            </Button>
          )}
        </div>
      }
    >
      {faults.map((fault) => (
        <p key={fault}>{fault}.</p>
      ))}
      {[address1, address2].filter((line) => line !== '').join(', ')}, {city}, {state} {zip}
    </Notice>
  )
}
