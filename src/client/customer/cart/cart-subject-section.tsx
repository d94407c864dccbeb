import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type CustomField, fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/database.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './cart.module.css'
import { CartLine } from './cart-line.tsx'
import { ServiceLines } from './order-services/service-lines.tsx'
import { SubjectHeading } from './subject-heading.tsx'
import type { SubjectLines } from './subject-lines.ts'

type CartSubjectSectionProps = {
  route: CustomerRoute
  cartKey: CartKey
  subject: SubjectLines
  view: CartView
  offered: readonly Package[] | undefined
  services: JobServices | undefined
  /** The custom fields that the studio asks for each subject before picture day. */
  fields: readonly CustomField[] | undefined
  /** The subject's id in URLs; null if none is known. */
  number: number | null
  /** Ids of every subject this device knows in the job. */
  known: readonly number[]
}

/** One subject's packages and services, with links to add more. */
export const CartSubjectSection = (props: CartSubjectSectionProps) => {
  const { route: place, cartKey, subject: person, view, offered, services, fields = [], number, known } = props
  const { subject, lines, cents } = person
  const id = `person-${subject.personId ?? subject.subjectId}`
  const route = number === null ? null : { ...place, subjectId: number }
  const addOns = lines.filter((one) => !isStandard(one.line))
  const open = lines[0] ? fieldsWithoutAnswer(fields, lines[0].line.dataFields) : []
  const isTyped = number !== null && number < 0
  return (
    <section aria-labelledby={id} className={styles.person}>
      <SubjectHeading {...{ id, subject, cents }} />
      {route && open.length > 0 && (
        <Notice
          tone="attention"
          title={`The studio asks about ${subject.firstName}`}
          action={
            <ButtonLink href={urls.personDetails(route)} size="sm">
              Answer
            </ButtonLink>
          }
        >
          Still to say: {open.map(({ label }) => label).join(', ')}.
        </Notice>
      )}
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line.line.lineId}>
            <CartLine
              {...{ route: place, cartKey, offered, known, addOns }}
              view={line}
              subjectNumber={number}
              paying={view.cart.state === 'frozen'}
            />
          </li>
        ))}
      </ul>
      <ServiceLines {...{ route: place, cartKey, subject: person, view }} offered={services} />
      {route && (
        <div className={styles.personTools}>
          <ButtonLink href={urls.selectPackage(route)} variant="quiet" size="sm" icon={Plus}>
            Add another package for {subject.firstName}
          </ButtonLink>
          {(isTyped || fields.length > 0) && (
            <ButtonLink href={urls.personDetails(route)} variant="quiet" size="sm" icon={Pencil}>
              Edit {isTyped ? subject.firstName : `${subject.firstName}’s answers`}
            </ButtonLink>
          )}
        </div>
      )}
    </section>
  )
}
