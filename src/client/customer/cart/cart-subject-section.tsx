import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import type { ReactNode } from 'react'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { Cart, CartPackage } from '#domain/cart/cart.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import type { Package } from '#domain/catalogue/catalogue.ts'
import { type CustomField, fieldsWithoutAnswer } from '#domain/subjects/custom-fields.ts'
import type { CartView } from '#local/store/cart-view.ts'
import type { CartKey } from '#local/store/rows.ts'
import { type CustomerRoute, type SubjectRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useJobContext } from '../shared/job/job-context.tsx'
import styles from './cart.module.css'
import { CartLine } from './cart-line.tsx'
import { ServiceLines } from './order-services/service-lines.tsx'
import { SubjectHeading } from './subject-heading.tsx'
import type { SubjectLines } from './subject-lines.ts'

/** What is needed to offer add-ons for a subject in the cart. `lines`: the subject's. */
export type AddOnOffer = {
  route: SubjectRoute
  cart: Cart
  lines: readonly CartPackage[]
  offeredPackages: readonly Package[]
}

type CartSubjectSectionProps = {
  route: CustomerRoute
  cartKey: CartKey
  subject: SubjectLines
  view: CartView
  offeredPackages: readonly Package[] | undefined
  services: JobServices | undefined
  /** The custom fields that the studio asks for each subject before picture day. */
  fields: readonly CustomField[] | undefined
  /** The subject's id in URLs; null if none is known. */
  subjectNumber: number | null
  /** Ids of every subject this device knows in the job. */
  knownSubjectIds: readonly number[]
  /** Offers add-ons. Must return nothing if there are none. */
  renderAddOns: (offer: AddOnOffer) => ReactNode
}

/** One subject's packages and services, with links to add more. */
export const CartSubjectSection = (props: CartSubjectSectionProps) => {
  const {
    route: customerRoute,
    cartKey,
    subject: subjectLines,
    view,
    offeredPackages,
    services,
    fields = [],
    subjectNumber,
    knownSubjectIds,
    renderAddOns,
  } = props
  const { subject, lines, cents } = subjectLines
  const { closedReason } = useJobContext()
  const id = `person-${subject.personId ?? subject.subjectId}`
  const subjectRoute = subjectNumber === null ? null : { ...customerRoute, subjectId: subjectNumber }
  const addOns = lines.filter(({ line }) => !isStandard(line))
  const unansweredFields = lines[0] ? fieldsWithoutAnswer(fields, lines[0].line.dataFields) : []
  const isTyped = subjectNumber !== null && subjectNumber < 0
  return (
    <section aria-labelledby={id} className={styles.subject}>
      <SubjectHeading {...{ id, subject, cents }} />
      {subjectRoute && unansweredFields.length > 0 && (
        <Notice
          tone="attention"
          title={`Questions about ${subject.firstName}`}
          action={
            <ButtonLink href={urls.personDetails(subjectRoute)} size="sm">
              Answer
            </ButtonLink>
          }
        >
          Missing: {unansweredFields.map(({ label }) => label).join(', ')}.
        </Notice>
      )}
      <ul className={styles.lines}>
        {lines.map((lineView) => (
          <li key={lineView.line.lineId}>
            <CartLine
              {...{ route: customerRoute, cartKey, offeredPackages, knownSubjectIds, addOns }}
              view={lineView}
              subjectNumber={subjectNumber}
              hasPendingPayment={view.cart.state === 'frozen'}
            />
          </li>
        ))}
      </ul>
      <ServiceLines {...{ route: customerRoute, cartKey, subject: subjectLines, view }} offeredServices={services} />
      {subjectRoute && (
        <div className={styles.subjectActions}>
          <ButtonLink href={urls.selectPackage(subjectRoute)} variant="quiet" size="sm" icon={Plus}>
            Add another package for {subject.firstName}
          </ButtonLink>
          {(isTyped || fields.length > 0) && (
            <ButtonLink href={urls.personDetails(subjectRoute)} variant="quiet" size="sm" icon={Pencil}>
              Edit {isTyped ? subject.firstName : `${subject.firstName}’s details`}
            </ButtonLink>
          )}
        </div>
      )}
      {subjectRoute &&
        offeredPackages &&
        view.cart.state === 'open' &&
        closedReason === null &&
        renderAddOns({
          offeredPackages,
          route: subjectRoute,
          cart: view.cart,
          lines: lines.map(({ line }) => line),
        })}
    </section>
  )
}
