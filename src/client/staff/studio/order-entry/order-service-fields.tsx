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
  { allowNameOnAllPrints: nameOnAllPrints, allowNameOnWallets: nameOnWallets }: EntryForm['services'],
  subject: EntrySubject,
): PersonalizationChoice => ({
  nameOnAllPrints,
  nameOnWallets,
  yearOnAllPrints: false,
  yearOnWallets: false,
  nameToPrint: subject.firstName,
  yearToPrint: '',
})

type ServiceFieldProps = {
  service: OrderService
  subject: EntrySubject
  entry: EntryService | undefined
  onSet: (entry: EntryService | undefined) => void
  newEntry: () => EntryService
}

const PersonalizationFields = ({ entry, onSet }: { entry: EntryService; onSet: (entry: EntryService) => void }) => {
  const choice = entry.personalization
  if (!choice) return null
  const setPersonalization = (changes: Partial<PersonalizationChoice>) => {
    const nextChoice = { ...choice, ...changes }
    const hasYear = nextChoice.yearToPrint.trim() !== ''
    onSet({
      ...entry,
      personalization: {
        ...nextChoice,
        yearOnAllPrints: hasYear && nextChoice.nameOnAllPrints,
        yearOnWallets: hasYear && nextChoice.nameOnWallets,
      },
    })
  }
  return (
    <div className={styles.lineFields}>
      <Field label="Name to print">
        <TextInput
          autoComplete="off"
          value={choice.nameToPrint}
          onValue={(nameToPrint) => setPersonalization({ nameToPrint })}
        />
      </Field>
      <Field label="Year to print" optional>
        <TextInput
          autoComplete="off"
          value={choice.yearToPrint}
          onValue={(yearToPrint) => setPersonalization({ yearToPrint })}
        />
      </Field>
    </div>
  )
}

const ServiceField = ({ service, subject, entry, onSet, newEntry }: ServiceFieldProps) => (
  <div>
    <Checkbox
      label={`${service.name} for ${subject.firstName}, ${formatMoney(toCents(service.price))}`}
      checked={entry !== undefined}
      onValue={(checked) => onSet(checked ? newEntry() : undefined)}
    />
    {entry && <PersonalizationFields entry={entry} onSet={onSet} />}
  </div>
)

/** Order services for each subject of the form. */
export const OrderServiceFields = ({ offered, lines, services, faults, onChange }: OrderServiceFieldsProps) => {
  const subjects = [...new Map(lines.map(({ subject }) => [subject.subjectId, subject])).values()]
  if (subjects.length === 0 || offered.services.length === 0) return null
  const errors = Object.entries(faults).flatMap(([name, messages]) => (name.startsWith('services.') ? messages : []))
  return (
    <fieldset className={styles.section}>
      <legend>Services</legend>
      {subjects.flatMap((subject) =>
        offered.services.map((service) => {
          const isSameService = (entry: EntryService) =>
            entry.subjectId === subject.subjectId && entry.orderServiceId === service.orderServiceId
          const isPerImage = service.kind === 'retouch' && offered.imageLevelService
          const lineWithImage = lines.find(
            (line) => line.subject.subjectId === subject.subjectId && line.imageId !== null,
          )
          return (
            <ServiceField
              key={`${subject.subjectId} ${service.orderServiceId}`}
              service={service}
              subject={subject}
              entry={services.find(isSameService)}
              newEntry={() => ({
                subjectId: subject.subjectId,
                orderServiceId: service.orderServiceId,
                imageId: isPerImage ? (lineWithImage?.imageId ?? null) : null,
                personalization: service.kind === 'personalization' ? defaultPersonalization(offered, subject) : null,
              })}
              onSet={(entry) =>
                onChange([...services.filter((other) => !isSameService(other)), ...(entry ? [entry] : [])])
              }
            />
          )
        }),
      )}
      {errors.length > 0 && <p className={styles.error}>{errors.join(' ')}</p>}
    </fieldset>
  )
}
