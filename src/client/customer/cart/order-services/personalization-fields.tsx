import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type OrderedService, personalizationLabel } from '#client/customer/shared/order-services/ordered-services.ts'
import type { CartPackage, CartSubject } from '#domain/cart/cart.ts'
import type { JobServices, OrderService, PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { fitPersonalizationToOffer } from '#domain/cart/order-services.ts'
import type { CartKey } from '#local/store/rows.ts'
import { stamp } from '#platform/database.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import type { Messages } from '#ui/form/message-list.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { initialPersonalization, maxNameLength, maxYearLength, printsWithName } from './default-personalization.ts'
import styles from './order-services.module.css'
import { personalizationErrors } from './personalization-errors.ts'
import { ServiceChangeNotice } from './service-change-notice.tsx'
import { PricedLabel, useOptimisticValue } from './service-controls.tsx'
import { clearCartService, setCartService } from './set-cart-service.ts'

const PersonalizedPrint = lazy(async () => ({ default: (await import('./personalized-print.tsx')).PersonalizedPrint }))

const listOfNames = new Intl.ListFormat('en-US', { type: 'conjunction' })

type PersonalizationFieldsProps = {
  cartKey: CartKey
  subject: CartSubject
  service: OrderService
  offeredServices: JobServices
  orderedService: OrderedService | undefined
  /** The subject's packages. */
  lines: readonly CartPackage[]
}

/**
 * The name and year on a subject's prints. Valid input is saved to the cart while the customer types. Invalid input is
 * shown with its error and is not saved.
 */
export const PersonalizationFields = ({
  cartKey,
  subject,
  service,
  offeredServices,
  orderedService,
  lines,
}: PersonalizationFieldsProps) => {
  const [input, setInput] = useState<PersonalizationChoice | null>(null)
  const [isExpanded, setExpanded] = useState(false)
  useCloseWhenRemoved(orderedService !== undefined, () => setExpanded(false))
  const { value: isOpen, setOptimistically } = useOptimisticValue(orderedService !== undefined || isExpanded)
  // Clears options that are no longer offered: they have no checkbox that the customer could clear.
  const choice = fitPersonalizationToOffer(
    input ??
      orderedService?.personalization ??
      initialPersonalization(subject, offeredServices, { lines, now: stamp.now() }),
    offeredServices,
  )
  const change = (changes: Partial<PersonalizationChoice>) => {
    const nextChoice = { ...choice, ...changes }
    setInput(nextChoice)
    if (!personalizationErrors(nextChoice))
      void setCartService(cartKey, { owner: subject, service, offeredServices, personalization: nextChoice })
  }
  const toggle = (isChecked: boolean) => {
    setExpanded(isChecked)
    if (isChecked) change({})
    else void setOptimistically(isChecked, clearCartService(cartKey, { owner: subject, ...service }))
  }
  const named = printsWithName(lines, subject)
  const namedHint = `${listOfNames.format(named)} already ${named.length === 1 ? 'has' : 'have'} the name.`
  const description = service.description.replace(/([^.!?])$/, '$1.')
  const hint = named.length > 0 ? `${description} ${namedHint}`.trim() : service.description
  return (
    <div className={styles.kind}>
      <Checkbox label={<PricedLabel service={service} />} hint={hint} checked={isOpen} onValue={toggle} />
      {orderedService?.change && <ServiceChangeNotice {...{ cartKey, offeredServices }} service={orderedService} />}
      {isOpen && !orderedService?.change && (
        <ChoiceFields {...{ choice, change, offeredServices, orderedService, lines }} />
      )}
    </div>
  )
}

/** Calls `close` when the service is removed from the cart, even if another screen or tab removes it. */
const useCloseWhenRemoved = (isOrdered: boolean, close: () => void) => {
  const wasOrdered = useRef(isOrdered)
  useEffect(() => {
    if (wasOrdered.current && !isOrdered) close()
    wasOrdered.current = isOrdered
  })
}

type ChoiceFieldsProps = {
  choice: PersonalizationChoice
  change: (changes: Partial<PersonalizationChoice>) => void
  offeredServices: JobServices
  orderedService: OrderedService | undefined
  lines: readonly CartPackage[]
}

const ChoiceFields = ({ choice, change, offeredServices, orderedService, lines }: ChoiceFieldsProps) => {
  const errors = personalizationErrors(choice)
  return (
    <div className={styles.choice}>
      <PrintedTextField
        kind="name"
        maxLength={maxNameLength}
        errors={errors?.name}
        {...{ choice, change, offeredServices }}
      />
      <PrintedTextField
        kind="year"
        maxLength={maxYearLength}
        errors={errors?.year}
        {...{ choice, change, offeredServices }}
      />
      {errors?.placement && (
        <p className={styles.error} role="alert">
          {errors.placement}
        </p>
      )}
      <Suspense>
        <PersonalizedPrint {...{ lines, choice }} />
      </Suspense>
      <p className={styles.soft}>{statusLabel(orderedService, errors === null)}</p>
    </div>
  )
}

/** Describes the choice stored in the cart, which can differ from the choice in the form. */
const statusLabel = (orderedService: OrderedService | undefined, isValid: boolean): string => {
  if (!orderedService?.personalization) return isValid ? '' : 'Not in your cart yet.'
  return `${isValid ? 'Prints' : 'Your cart still has'} ${personalizationLabel(orderedService.personalization)}.`
}

type PrintedTextFieldProps = Omit<ChoiceFieldsProps, 'orderedService' | 'lines'> & {
  kind: 'name' | 'year'
  maxLength: number
  errors: Messages
}

/** The input for the name or the year, and the checkboxes for the prints that show it. */
const PrintedTextField = ({ kind, maxLength, errors, choice, change, offeredServices }: PrintedTextFieldProps) => {
  const label = kind === 'name' ? 'Name' : 'Year'
  const placements = [
    { option: `${kind}OnAllPrints`, printsLabel: 'all prints', isOffered: offeredServices.allowNameOnAllPrints },
    { option: `${kind}OnWallets`, printsLabel: 'wallet prints', isOffered: offeredServices.allowNameOnWallets },
  ] as const
  return (
    <div>
      <Field label={`${label} to print`} errors={errors}>
        <TextInput
          value={choice[`${kind}ToPrint`]}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="words"
          enterKeyHint="done"
          onValue={(text) => change({ [`${kind}ToPrint`]: text })}
        />
      </Field>
      <div className={styles.placements}>
        {placements.map(
          ({ option, printsLabel, isOffered }) =>
            isOffered && (
              <Checkbox
                key={option}
                label={`${label} on ${printsLabel}`}
                checked={choice[option]}
                onValue={(isChecked) => change({ [option]: isChecked })}
              />
            ),
        )}
      </div>
    </div>
  )
}
