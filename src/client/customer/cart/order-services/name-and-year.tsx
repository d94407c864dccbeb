import { useEffect, useRef, useState } from 'react'
import type { CartSubject } from '../../../../domain/cart.ts'
import type { JobServices, OrderService, PersonalizationChoice } from '../../../../domain/order-services.ts'
import type { CartKey } from '../../../../local/database.ts'
import { stamp } from '../../../device/local.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { TextInput } from '../../../ui/text-input.tsx'
import { type OrderedService, printedWords } from '../../ordered-services.ts'
import { order, undoOrder } from '../order-service.ts'
import { ServiceChange } from '../service-change.tsx'
import { firstChoice, longestName, longestYear } from './first-choice.ts'
import { nameErrors } from './name-errors.ts'
import { PricedLabel } from './priced-label.tsx'
import styles from './services.module.css'
import { useTapped } from './use-tapped.ts'

type NameAndYearProps = {
  cartKey: CartKey
  subject: CartSubject
  service: OrderService
  offered: JobServices
  ordered: OrderedService | undefined
}

/**
 * Name and year on somebody's prints. What can be printed is ordered as it is typed; what cannot stays here, with its reason, and
 * the cart keeps what it had.
 */
export const NameAndYear = ({ cartKey, subject, service, offered, ordered }: NameAndYearProps) => {
  const [typed, setTyped] = useState<PersonalizationChoice | null>(null)
  const [opened, setOpened] = useState(false)
  useClosedWithOrder(ordered !== undefined, () => setOpened(false))
  const { shown: isOpen, tap } = useTapped(ordered !== undefined || opened)
  const choice = typed ?? ordered?.personalization ?? firstChoice(subject, offered, stamp.now())
  const change = (with_: Partial<PersonalizationChoice>) => {
    const next = { ...choice, ...with_ }
    setTyped(next)
    if (!nameErrors(next)) void order(cartKey, { owner: subject, service, offered, personalization: next })
  }
  const toggle = (on: boolean) => {
    setOpened(on)
    if (on) change({})
    else void tap(on, undoOrder(cartKey, { owner: subject, ...service }))
  }
  return (
    <div className={styles.kind}>
      <Checkbox
        label={<PricedLabel service={service} />}
        hint={service.description}
        checked={isOpen}
        onValue={toggle}
      />
      {ordered?.change && <ServiceChange {...{ cartKey, offered }} service={ordered} />}
      {isOpen && !ordered?.change && <Choice {...{ choice, change, offered, ordered }} />}
    </div>
  )
}

/** What was opened closes when it leaves the cart, whoever took it out. */
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
  const errors = nameErrors(choice)
  return (
    <div className={styles.choice}>
      <div>
        <Field label="Name to print" errors={errors?.name ?? null}>
          <TextInput
            value={choice.nameToPrint}
            maxLength={longestName}
            autoComplete="off"
            autoCapitalize="words"
            enterKeyHint="done"
            onValue={(nameToPrint) => change({ nameToPrint })}
          />
        </Field>
        <Places what="name" {...{ choice, change, offered }} />
      </div>
      <div>
        <Field label="Year to print" errors={errors?.year ?? null}>
          <TextInput
            value={choice.yearToPrint}
            maxLength={longestYear}
            autoComplete="off"
            enterKeyHint="done"
            onValue={(yearToPrint) => change({ yearToPrint })}
          />
        </Field>
        <Places what="year" {...{ choice, change, offered }} />
      </div>
      {errors?.places && (
        <p className={styles.wrong} role="alert">
          {errors.places}
        </p>
      )}
      <p className={styles.soft}>{standing(ordered, errors === null)}</p>
    </div>
  )
}

/** What of it is in the cart, which is not always what is typed. */
const standing = (ordered: OrderedService | undefined, isRight: boolean): string => {
  if (!ordered?.personalization) return isRight ? '' : 'Not in your cart yet.'
  return `${isRight ? 'Prints' : 'In your cart is still'} ${printedWords(ordered.personalization)}.`
}

type PlacesProps = Omit<ChoiceProps, 'ordered'> & { what: 'name' | 'year' }

const Places = ({ what, choice, change, offered }: PlacesProps) => {
  const words = what === 'name' ? 'Name' : 'Year'
  return (
    <div className={styles.places}>
      {offered.allowNameOnAllPrints && (
        <Checkbox
          label={`${words} on all prints`}
          checked={choice[`${what}OnAllPrints`]}
          onValue={(on) => change({ [`${what}OnAllPrints`]: on })}
        />
      )}
      {offered.allowNameOnWallets && (
        <Checkbox
          label={`${words} on wallets`}
          checked={choice[`${what}OnWallets`]}
          onValue={(on) => change({ [`${what}OnWallets`]: on })}
        />
      )}
    </div>
  )
}
