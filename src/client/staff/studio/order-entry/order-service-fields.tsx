import type { EntryForm, EntryService, EntrySubject } from '#contract/studio/order-entry.ts'
import type { OrderService, PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { formatMoney, toCents } from '#domain/pricing/money.ts'
import { Checkbox } from '#ui/form/checkbox.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import type { EntryFormLine } from './entry-form-values.ts'
import styles from './order-entry.module.css'
import type { EntryErrors } from './use-entry-price.ts'

type OrderServiceFieldsProps = {
  offered: EntryForm['services']
  lines: readonly EntryFormLine[]
  services: readonly EntryService[]
  faults: EntryErrors
  onChange: (services: EntryService[]) => void
}

const defaultPersonalization = (
  { allowNameOnAllPrints: prints, allowNameOnWallets: wallets }: EntryForm['services'],
  of: EntrySubject,
): PersonalizationChoice => ({
  nameOnAllPrints: prints,
  nameOnWallets: wallets,
  yearOnAllPrints: false,
  yearOnWallets: false,
  nameToPrint: of.firstName,
  yearToPrint: '',
})

type ServiceProps = {
  service: OrderService
  subject: EntrySubject
  entry: EntryService | undefined
  onSet: (entry: EntryService | undefined) => void
  begun: () => EntryService
}

const PersonalizationFields = ({ entry, onSet }: { entry: EntryService; onSet: (entry: EntryService) => void }) => {
  const choice = entry.personalization
  if (!choice) return null
  const set = (change: Partial<PersonalizationChoice>) => {
    const next = { ...choice, ...change }
    const isOnYear = next.yearToPrint.trim() !== ''
    onSet({
      ...entry,
      personalization: {
        ...next,
        yearOnAllPrints: isOnYear && next.nameOnAllPrints,
        yearOnWallets: isOnYear && next.nameOnWallets,
      },
    })
  }
  return (
    <div className={styles.asked}>
      <Field label="Name to print">
        <TextInput autoComplete="off" value={choice.nameToPrint} onValue={(nameToPrint) => set({ nameToPrint })} />
      </Field>
      <Field label="Year to print" optional>
        <TextInput autoComplete="off" value={choice.yearToPrint} onValue={(yearToPrint) => set({ yearToPrint })} />
      </Field>
    </div>
  )
}

const Service = ({ service, subject, entry, onSet, begun }: ServiceProps) => (
  <div>
    <Checkbox
      label={`${service.name} for ${subject.firstName}, ${formatMoney(toCents(service.price))}`}
      checked={entry !== undefined}
      onValue={(checked) => onSet(checked ? begun() : undefined)}
    />
    {entry && <PersonalizationFields entry={entry} onSet={onSet} />}
  </div>
)

/** Order services for each subject of the form. */
export const OrderServiceFields = ({ offered, lines, services, faults, onChange }: OrderServiceFieldsProps) => {
  const subjects = [...new Map(lines.map(({ subject }) => [subject.subjectId, subject])).values()]
  if (subjects.length === 0 || offered.services.length === 0) return null
  const wrong = Object.entries(faults).flatMap(([name, messages]) => (name.startsWith('services.') ? messages : []))
  return (
    <fieldset className={styles.part}>
      <legend>Services</legend>
      {subjects.flatMap((subject) =>
        offered.services.map((service) => {
          const isThis = (one: EntryService) =>
            one.subjectId === subject.subjectId && one.orderServiceId === service.orderServiceId
          const perPicture = service.kind === 'retouch' && offered.imageLevelService
          const picture = lines.find((line) => line.subject.subjectId === subject.subjectId && line.imageId !== null)
          return (
            <Service
              key={`${subject.subjectId} ${service.orderServiceId}`}
              service={service}
              subject={subject}
              entry={services.find(isThis)}
              begun={() => ({
                subjectId: subject.subjectId,
                orderServiceId: service.orderServiceId,
                imageId: perPicture ? (picture?.imageId ?? null) : null,
                personalization: service.kind === 'personalization' ? defaultPersonalization(offered, subject) : null,
              })}
              onSet={(entry) => onChange([...services.filter((one) => !isThis(one)), ...(entry ? [entry] : [])])}
            />
          )
        }),
      )}
      {wrong.length > 0 && <p className={styles.fault}>{wrong.join(' ')}</p>}
    </fieldset>
  )
}
