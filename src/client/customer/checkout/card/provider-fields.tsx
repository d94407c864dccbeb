import { lazy, type Ref, Suspense } from 'react'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../checkout.module.css'
import type { CardTokenizer } from '../stripe/stripe-card-fields.tsx'
import type { CardInput } from '../test-provider/test-card.ts'
import { TestCardFields } from '../test-provider/test-card-fields.tsx'
import type { PaymentProvider } from './use-card.ts'

const StripeCard = lazy(async () => ({ default: (await import('../stripe/stripe-card-fields.tsx')).StripeCardFields }))

/** Shown wherever the built-in test provider takes the card. */
export const TestPaymentNotice = () => (
  <Notice title="Test payments">
    No money moves here. Pay with the card 4242 4242 4242 4242, any date to come, any three digits.
  </Notice>
)

type ProviderFieldsProps = {
  provider: PaymentProvider
  input: CardInput
  type: (card: CardInput) => void
  errors: FieldErrors
  tokenizer: Ref<CardTokenizer>
  /** The total, if known yet. */
  cents: number | undefined
  /** What remains unchanged while no card can be taken. */
  unchanged: 'cart' | 'order'
  focus?: boolean
  onFocused?: () => void
}

const nothing = (): void => undefined

/** The card fields of the studio's payment provider. */
export const ProviderFields = (props: ProviderFieldsProps) => {
  const { provider, input, type, errors, tokenizer, cents, unchanged, focus = false, onFocused = nothing } = props
  if (provider.by === 'test') return <TestCardFields card={input} errors={errors} onCard={type} />
  if (provider.by === 'unknown') return <p className={styles.soft}>We ask for your card once we reach the studio.</p>
  if (provider.by === 'nobody') {
    return (
      <Notice tone="attention" title="Cards are not taken on this page">
        Please ask the studio how to pay; your {unchanged} stays as it is.
      </Notice>
    )
  }
  return (
    <Suspense fallback={<Loader />}>
      <StripeCard ref={tokenizer} account={provider} cents={cents} focus={focus} onFocused={onFocused} />
    </Suspense>
  )
}
