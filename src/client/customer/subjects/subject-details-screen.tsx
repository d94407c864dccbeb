import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Redirect, useLocation } from 'wouter'
import type { CustomField } from '#domain/subjects/custom-fields.ts'
import { updateTypedSubject } from '#local/outbox/edit-typed-subject.ts'
import { setSubjectFields } from '#local/outbox/set-subject-fields.ts'
import { database, stamp } from '#platform/database.ts'
import { type SubjectRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Loader } from '#ui/feedback/loader.tsx'
import { toastError } from '#ui/toast/toast.ts'
import { useCart } from '../shared/cart/use-cart.ts'
import { UnknownSubject } from '../shared/errors/lazy-error-screens.ts'
import { useJobContext } from '../shared/job/job-context.tsx'
import shared from '../shared/subject/subject-picker.module.css'
import { SubjectDetailsForm } from './subject-details-form.tsx'
import styles from './subject-entry.module.css'
import { answersFromFields, type SubjectFormValues, toDataFields } from './subject-form-values.ts'
import { type EditableSubject, useSubject } from './use-subject.ts'

/**
 * A subject's details, before their first package or opened from the cart: typed-in data and the studio's custom
 * fields.
 */
export const SubjectDetailsScreen = (route: SubjectRoute) => {
  const { jobId, orderMethod } = useJobContext()
  const subject = useSubject(route)
  const cart = useCart(jobId, orderMethod)?.cart
  if (subject === 'unknown') return <UnknownSubject {...route} />
  // The package screen reports the error, and a gallery has no custom fields.
  if (subject === 'failed' || orderMethod === 'gallery') return <Redirect to={urls.selectPackage(route)} replace />
  if (!subject || !cart) return <Loader />
  const { subjectId, personId } = subject
  const line = cart.cartPackages.find((cartLine) =>
    personId ? cartLine.personId === personId : cartLine.subjectId === subjectId,
  )
  const targets = line
    ? { next: urls.cart(route), back: urls.cart(route) }
    : { next: urls.selectPackage(route), back: urls.subjectSearch(route) }
  return <Details route={route} subject={line ? { ...subject, dataFields: line.dataFields } : subject} {...targets} />
}

type DetailsProps = { route: SubjectRoute; subject: EditableSubject; next: string; back: string }

const Details = ({ route, subject, next, back }: DetailsProps) => {
  const { jobId, orderMethod, studio } = useJobContext()
  const [, navigate] = useLocation()
  const { firstName, lastName, fields, subjectId, dataFields: storedFields } = subject
  const isTyped = subjectId === null
  const key = { jobId, orderMethod }
  const save = async (values: SubjectFormValues, customFields: CustomField[] | undefined) => {
    const dataFields = toDataFields(values, customFields, storedFields)
    const typed = { firstName: values.firstName, lastName: values.lastName, dataFields }
    const result = isTyped
      ? await updateTypedSubject(database, stamp, { ...key, number: route.subjectId, typed })
      : await setSubjectFields(database, stamp, { ...key, subjectId, dataFields })
    if (result.ok) navigate(next)
    else toastError([result.message])
    return result.ok
  }
  return (
    <div className={classNames(shared.part, styles.column)}>
      <header className={styles.head}>
        <ButtonLink href={back} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
          Back
        </ButtonLink>
        <h1>About {firstName}</h1>
        <p>A few questions from {studio.name}.</p>
      </header>
      <SubjectDetailsForm
        initialValues={{ firstName, lastName, answers: answersFromFields([...fields, ...storedFields]) }}
        asksName={isTyped}
        draftKey={`person:${jobId}:${route.subjectId}`}
        submitLabel="Save"
        onSubmit={save}
      />
    </div>
  )
}
