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

type Told = Infer<(typeof validateAddress)['answer']>
type Suggestion = NonNullable<Told['suggestion']>
type AddressSuggestionProps = { jobId: number; fields: CheckoutFormState; part: 'billingAddress' | 'shippingAddress' }

/** Debounce in milliseconds before an address is validated. */
const restMs = 800

const wordsOf = ({ address1, address2, city, state, zip }: AddressInput): string =>
  JSON.stringify({ address1, address2, city, state, zip })

const isWhole = ({ address1, city, state, zip }: AddressInput): boolean =>
  [address1, city, state, zip].every((text) => text.trim() !== '') && zip.trim().length >= 5

/** The address errors that no form field shows already. */
const faultsIn = ({ faults }: Told, errors: FieldErrors): string[] =>
  Object.values(faults).filter((fault) => fault !== undefined && !Object.values(errors).flat().includes(fault))

/**
 * Suggests the postal service's form of the address: one tap accepts it, and a dismissed one is not shown again. Errors
 * stay until they are fixed. Shows nothing if validation is unavailable, and never blocks checkout.
 */
export const AddressSuggestion = ({ jobId, fields, part }: AddressSuggestionProps) => {
  const typed = fields.form[part]
  const words = isWhole(typed) ? wordsOf(typed) : null
  const [answer, setAnswer] = useState<{ words: string; told: Told }>()
  const [left, setLeft] = useState<readonly string[]>([])
  const asked = words === null || left.includes(words) ? null : words
  useEffect(() => {
    if (asked === null) return
    const leaving = new AbortController()
    const check = async () => {
      const body = JSON.parse(asked) as Suggestion // serialized above
      const got = await callApi(validateAddress, { params: { jobId }, body, signal: leaving.signal })
      if (got.ok && !leaving.signal.aborted) setAnswer({ words: asked, told: got.data })
    }
    const timer = setTimeout(() => void check(), restMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [jobId, asked])

  const told = asked !== null && answer?.words === asked ? answer.told : undefined
  if (!told || asked === null) return null
  const leave = () => setLeft((before) => [...before, asked])
  const { suggestion, doubt } = told
  const faults = faultsIn(told, fields.errors)
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
  const take = () => fields.change((before) => ({ ...before, [part]: { ...before[part], ...suggestion } }))
  const { address1, address2, city, state, zip } = suggestion
  return (
    <Notice
      title="The post writes this address like this"
      action={
        <div className={styles.line}>
          <Button size="sm" onClick={take}>
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
