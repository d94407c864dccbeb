import { useEffect, useRef, useState } from 'react'
import { type OrderedService, personalizationLabel } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService, PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { fitPersonalizationToOffer } from '#domain/cart/order-services.ts'
import type { CartKey } from '#local/store/database.ts'
import { stamp } from '#platform/database.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import type { Messages } from '#ui/form/message-list.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { initialPersonalization, maxNameLength, maxYearLength } from './default-personalization.ts'
import styles from './order-services.module.css'
import { personalizationErrors } from './personalization-errors.ts'
import { PricedLabel } from './priced-label.tsx'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'
import { useOptimisticValue } from './use-optimistic-value.ts'

type PersonalizationFieldsProps = {
  cartKey: CartKey
  subject: CartSubject
  service: OrderService
  offered: JobServices
  ordered: OrderedService | undefined
}

/**
 * Name and year on a subject's prints. Valid input is saved as it is typed; invalid input stays in the form with its
 * error, and the cart keeps the last valid choice.
 */
export const PersonalizationFields = ({ cartKey, subject, service, offered, ordered }: PersonalizationFieldsProps) => {
  const [input, setInput] = useState<PersonalizationChoice | null>(null)
  const [opened, setOpened] = useState(false)
  useClosedWithOrder(ordered !== undefined, () => setOpened(false))
  const { shown: isOpen, tap } = useOptimisticValue(ordered !== undefined || opened)
  // An option that is no longer offered has no checkbox to clear it.
  const choice = fitPersonalizationToOffer(
    input ?? ordered?.personalization ?? initialPersonalization(subject, offered, stamp.now()),
    offered,
  )
  const change = (with_: Partial<PersonalizationChoice>) => {
    const next = { ...choice, ...with_ }
    setInput(next)
    if (!personalizationErrors(next))
      void setCartService(cartKey, { owner: subject, service, offered, personalization: next })
  }
  const toggle = (on: boolean) => {
    setOpened(on)
    if (on) change({})
    else void tap(on, clearCartService(cartKey, { owner: subject, ...service }))
  }
  return (
    <div className={styles.kind}>
      <Checkbox
        label={<PricedLabel service={service} />}
        hint={service.description}
        checked={isOpen}
        onValue={toggle}
      />
      {ordered?.change && <ServiceChangeNotice {...{ cartKey, offered }} service={ordered} />}
      {isOpen && !ordered?.change && <Choice {...{ choice, change, offered, ordered }} />}
    </div>
  )
}

/** Closes the fields when the service leaves the cart, also when another screen or tab removes it. */
const useClosedWithOrder = (isOrdered: boolean, close: () => void) => {
  const was = useRef(isOrdered)
  useEffect(() => {
    if (was.current && !isOrdered) close()
    was.current = isOrdered
  })
}

type ChoiceProps = {
  choice: PersonalizationChoice
  change: (with_: Partial<PersonalizationChoice>) => void
  offered: JobServices
  ordered: OrderedService | undefined
}

const Choice = ({ choice, change, offered, ordered }: ChoiceProps) => {
  const errors = personalizationErrors(choice)
  return (
    <div className={styles.choice}>
      <Printed what="name" maxLength={maxNameLength} errors={errors?.name} {...{ choice, change, offered }} />
      <Printed what="year" maxLength={maxYearLength} errors={errors?.year} {...{ choice, change, offered }} />
      {errors?.placement && (
        <p className={styles.wrong} role="alert">
          {errors.placement}
        </p>
      )}
      <p className={styles.soft}>{statusLabel(ordered, errors === null)}</p>
    </div>
  )
}

/** What the cart holds of this, which can differ from the typed text. */
const statusLabel = (ordered: OrderedService | undefined, isRight: boolean): string => {
  if (!ordered?.personalization) return isRight ? '' : 'Not in your cart yet.'
  return `${isRight ? 'Prints' : 'In your cart is still'} ${personalizationLabel(ordered.personalization)}.`
}

type PrintedProps = Omit<ChoiceProps, 'ordered'> & {
  what: 'name' | 'year'
  maxLength: number
  errors: Messages
}

/** One of the two fields: its text, and where it is printed. */
const Printed = ({ what, maxLength, errors, choice, change, offered }: PrintedProps) => {
  const label = what === 'name' ? 'Name' : 'Year'
  const placements = [
    { at: `${what}OnAllPrints`, on: 'all prints', isOffered: offered.allowNameOnAllPrints },
    { at: `${what}OnWallets`, on: 'wallets', isOffered: offered.allowNameOnWallets },
  ] as const
  return (
    <div>
      <Field label={`${label} to print`} errors={errors}>
        <TextInput
          value={choice[`${what}ToPrint`]}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="words"
          enterKeyHint="done"
          onValue={(text) => change({ [`${what}ToPrint`]: text })}
        />
      </Field>
      <div className={styles.places}>
        {placements.map(
          ({ at, on, isOffered }) =>
            isOffered && (
              <Checkbox
                key={at}
                label={`${label} on ${on}`}
                checked={choice[at]}
                onValue={(isOn) => change({ [at]: isOn })}
              />
            ),
        )}
      </div>
    </div>
  )
}
