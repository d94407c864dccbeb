import { Suspense } from 'react'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from '../checkout.module.css'
import type { CardFieldsState } from './use-card-fields.ts'

type CardFieldsProps = {
  card: CardFieldsState
  errors: FieldErrors
  /** The total, if known yet. */
  cents: number | undefined
  /** The message for a studio without cards says that this is saved. */
  savedItem: 'cart' | 'order'
  focus?: boolean
  onFocused?: () => void
}

const doNothing = (): void => undefined

/** The card fields of the studio's payment provider. */
export const CardFields = ({
  card,
  savedItem,
  focus = false,
  onFocused = doNothing,
  ...fieldProps
}: CardFieldsProps) => {
  const { payment, provider, input, onInput, tokenizer } = card
  if (!payment) return <p className={styles.soft}>We’ll ask for your card once we reach the studio.</p>
  if (!provider) {
    return (
      <Notice tone="attention" title="Cards aren’t accepted here">
        Please ask the studio how to pay; your {savedItem} is saved.
      </Notice>
    )
  }
  return (
    <Suspense fallback={<Loader />}>
      <provider.CardFields ref={tokenizer} {...{ payment, input, onInput, focus, onFocused }} {...fieldProps} />
    </Suspense>
  )
}
