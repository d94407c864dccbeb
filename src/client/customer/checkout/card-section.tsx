import { lazy, Suspense, useEffect, useRef } from 'react'
import type { FieldErrors } from '../../../domain/validators.ts'
import { Button } from '../../ui/button.tsx'
import { Loader } from '../../ui/loader.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { CustomerEvent } from '../event.tsx'
import { CardFields } from './card-fields.tsx'
import styles from './checkout.module.css'
import { type ChosenCard, dropCard, ledToCard, useChosenCard } from './chosen-card.ts'
import type { Card } from './use-card.ts'

const StripeCard = lazy(async () => ({ default: (await import('./stripe/stripe-card.tsx')).StripeCard }))

type CardSectionProps = {
  event: CustomerEvent
  card: Card
  errors: FieldErrors
  /** The total as far as it is known. */
  cents: number | undefined
}

/** Where the card is asked for, by whoever takes it. Another card that was asked for takes the focus. */
export const CardSection = ({ event, card, errors, cents }: CardSectionProps) => {
  const { wanted } = useChosenCard(event)
  const section = useRef<HTMLElement>(null)
  const { chosen, taker } = card
  const { by } = taker
  useEffect(() => {
    if (!wanted) return
    section.current?.scrollIntoView({ block: 'center' })
    if (by !== 'test') return
    section.current?.querySelector('input')?.focus({ preventScroll: true })
    ledToCard(event)
  }, [wanted, by, event])
  return (
    <section ref={section} className={styles.section} aria-labelledby="checkout-card">
      <h2 id="checkout-card">Card</h2>
      {taker.by === 'test' && (
        <Notice title="Test payments">
          No money moves here. Pay with the card 4242 4242 4242 4242, any date to come, any three digits.
        </Notice>
      )}
      {chosen ? (
        <ChosenCardLine chosen={chosen} onAnother={() => dropCard(event)} />
      ) : (
        <Fields card={card} errors={errors} cents={cents} focus={wanted} onFocused={() => ledToCard(event)} />
      )}
    </section>
  )
}

type FieldsProps = Omit<CardSectionProps, 'event'> & { focus: boolean; onFocused: () => void }

const Fields = ({ card, errors, cents, focus, onFocused }: FieldsProps) => {
  const { taker, typed, type, maker } = card
  if (taker.by === 'test') return <CardFields card={typed} errors={errors} onCard={type} />
  if (taker.by === 'unknown') return <p className={styles.soft}>Your card is asked for once the studio was reached.</p>
  if (taker.by === 'nobody') {
    return (
      <Notice tone="attention" title="Cards are not taken on this page">
        Please ask the studio how to pay; your cart stays as it is.
      </Notice>
    )
  }
  return (
    <Suspense fallback={<Loader />}>
      <StripeCard ref={maker} whose={taker} cents={cents} focus={focus} onFocused={onFocused} />
    </Suspense>
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
