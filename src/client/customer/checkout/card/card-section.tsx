import { useEffect, useRef } from 'react'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import styles from '../checkout.module.css'
import { type ChosenCard, cardFieldsFocused, requestAnotherCard, useChosenCard } from './chosen-card.ts'
import { ProviderFields, TestPaymentNotice } from './provider-fields.tsx'
import type { CardState } from './use-card.ts'

type CardSectionProps = {
  event: JobContextValue
  card: CardState
  errors: FieldErrors
  /** The total, if known yet. */
  cents: number | undefined
}

/** The card fields of the studio's payment provider. They take the focus when another card is requested. */
export const CardSection = ({ event, card, errors, cents }: CardSectionProps) => {
  const { isRequested } = useChosenCard(event)
  const section = useRef<HTMLElement>(null)
  const { chosen, provider } = card
  const { by } = provider
  useEffect(() => {
    if (!isRequested) return
    section.current?.scrollIntoView({ block: 'center' })
    if (by !== 'test') return
    section.current?.querySelector('input')?.focus({ preventScroll: true })
    cardFieldsFocused(event)
  }, [isRequested, by, event])
  return (
    <section ref={section} className={styles.section} aria-labelledby="checkout-card">
      <h2 id="checkout-card">Card</h2>
      {provider.by === 'test' && <TestPaymentNotice />}
      {chosen ? (
        <ChosenCardLine chosen={chosen} onAnother={() => requestAnotherCard(event)} />
      ) : (
        <ProviderFields
          {...card}
          errors={errors}
          cents={cents}
          unchanged="cart"
          focus={isRequested}
          onFocused={() => cardFieldsFocused(event)}
        />
      )}
    </section>
  )
}

const ChosenCardLine = ({ chosen, onAnother }: { chosen: ChosenCard; onAnother: () => void }) => (
  <div className={styles.line}>
    <span className={styles.chosen}>Card ending {chosen.ending}</span>
    <Button variant="secondary" size="sm" onClick={onAnother}>
      Use another card
    </Button>
  </div>
)
