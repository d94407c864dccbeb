import { useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { validateAddress } from '#contract/customer/validate-address.ts'
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

const wordsOf = ({ address1, address2, city, state, zip }: AddressInput): string =>
  JSON.stringify({ address1, address2, city, state, zip })

const isWhole = ({ address1, city, state, zip }: AddressInput): boolean =>
  [address1, city, state, zip].every((text) => text.trim() !== '') && zip.trim().length >= 5

/** The address errors that no form field shows already. */
const faultsIn = ({ faults }: AddressValidation, errors: FieldErrors): string[] =>
  Object.values(faults).filter((fault) => fault !== undefined && !Object.values(errors).flat().includes(fault))

/**
 * Suggests the postal service's form of the address: one tap accepts it, and a dismissed one is not shown again. Errors
 * stay until they are fixed. Shows nothing if validation is unavailable, and never blocks checkout.
 */
export const AddressSuggestion = ({ jobId, fields, part }: AddressSuggestionProps) => {
  const input = fields.form[part]
  const serialized = isWhole(input) ? wordsOf(input) : null
  const [response, setResponse] = useState<{ serialized: string; validation: AddressValidation }>()
  const [left, setLeft] = useState<readonly string[]>([])
  const askedFor = serialized === null || left.includes(serialized) ? null : serialized
  useEffect(() => {
    if (askedFor === null) return
    const controller = new AbortController()
    const check = async () => {
      const body = JSON.parse(askedFor) as Suggestion // serialized above
      const got = await callApi(validateAddress, { params: { jobId }, body, signal: controller.signal })
      if (got.ok && !controller.signal.aborted) setResponse({ serialized: askedFor, validation: got.data })
    }
    const timer = setTimeout(() => void check(), debounceMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [jobId, askedFor])

  const validation = askedFor !== null && response?.serialized === askedFor ? response.validation : undefined
  if (!validation || askedFor === null) return null
  const leave = () => setLeft((before) => [...before, askedFor])
  const { suggestion, doubt } = validation
  const faults = faultsIn(validation, fields.errors)
  if (!suggestion) {
    if (faults.length > 0) return <Notice tone="attention">{faults.join('. ')}</Notice>
    return (
      doubt && (
        <Notice tone="attention" onDismiss={leave}>
          {doubt}
        </Notice>
      )
    )
  }
  const accept = () => fields.change((before) => ({ ...before, [part]: { ...before[part], ...suggestion } }))
  const { address1, address2, city, state, zip } = suggestion
  return (
    <Notice
      title="The post writes this address like this"
      action={
        <div className={styles.line}>
          <Button size="sm" onClick={accept}>
            Use this address
          </Button>
          {faults.length === 0 && (
            <Button size="sm" variant="secondary" onClick={leave}>
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
