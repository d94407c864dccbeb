import { useEffect, useRef } from 'react'
import type { JobContextValue } from '#client/customer/shared/job/job-context.tsx'
import type { FieldErrors } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import styles from '../checkout.module.css'
import { CardFields } from './card-fields.tsx'
import { type ChosenCard, markCardFieldsFocused, requestAnotherCard, useChosenCard } from './chosen-card.ts'
import type { CardState } from './use-card.ts'

type CardSectionProps = {
  job: JobContextValue
  card: CardState
  errors: FieldErrors
  /** Undefined until the total is known. */
  totalCents: number | undefined
}

/** The tokenized card, or the provider's card fields, which get the focus if the customer requests another card. */
export const CardSection = ({ job, card, errors, totalCents }: CardSectionProps) => {
  const { isRequested } = useChosenCard(job)
  const sectionRef = useRef<HTMLElement>(null)
  const { chosen, provider } = card
  useEffect(() => {
    if (isRequested) sectionRef.current?.scrollIntoView({ block: 'center' })
  }, [isRequested])
  return (
    <section ref={sectionRef} className={styles.section} aria-labelledby="checkout-card">
      <h2 id="checkout-card">Card</h2>
      {provider?.Notice && <provider.Notice />}
      {chosen ? (
        <ChosenCardLine chosen={chosen} onUseAnotherCard={() => requestAnotherCard(job)} />
      ) : (
        <CardFields
          card={card}
          errors={errors}
          cents={totalCents}
          savedItem="cart"
          focus={isRequested}
          onFocused={() => markCardFieldsFocused(job)}
        />
      )}
    </section>
  )
}

const ChosenCardLine = ({ chosen, onUseAnotherCard }: { chosen: ChosenCard; onUseAnotherCard: () => void }) => (
  <div className={styles.line}>
    <span className={styles.chosen}>Card ending {chosen.ending}</span>
    <Button variant="secondary" size="sm" onClick={onUseAnotherCard}>
      Use another card
    </Button>
  </div>
)
