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
  const whom = useSubject(route)
  const cart = useCart(jobId, orderMethod)?.cart
  if (whom === 'unknown') return <UnknownSubject {...route} />
  // That screen reports the error, and a gallery has no custom fields.
  if (whom === 'trouble' || orderMethod === 'gallery') return <Redirect to={urls.selectPackage(route)} replace />
  if (!whom || !cart) return <Loader />
  const { subjectId, personId } = whom
  const line = cart.cartPackages.find((one) => (personId ? one.personId === personId : one.subjectId === subjectId))
  const ways = line
    ? { next: urls.cart(route), back: urls.cart(route) }
    : { next: urls.selectPackage(route), back: urls.subjectSearch(route) }
  return <Details route={route} whom={line ? { ...whom, told: line.dataFields } : whom} {...ways} />
}

type DetailsProps = { route: SubjectRoute; whom: EditableSubject; next: string; back: string }

const Details = ({ route, whom, next, back }: DetailsProps) => {
  const { jobId, orderMethod, studio } = useJobContext()
  const [, navigate] = useLocation()
  const { firstName, lastName, fields, subjectId, told } = whom
  const isTyped = subjectId === null
  const key = { jobId, orderMethod }
  const save = async (typing: SubjectFormValues, asked: CustomField[] | undefined) => {
    const dataFields = toDataFields(typing, asked, told)
    const typed = { firstName: typing.firstName, lastName: typing.lastName, dataFields }
    const answer = isTyped
      ? await updateTypedSubject(database, stamp, { ...key, number: route.subjectId, typed })
      : await setSubjectFields(database, stamp, { ...key, subjectId, dataFields })
    if (answer.ok) navigate(next)
    else toastError([answer.message])
    return answer.ok
  }
  return (
    <div className={classNames(shared.part, styles.column)}>
      <header className={styles.head}>
        <ButtonLink href={back} variant="quiet" size="sm" icon={ArrowLeft} className={styles.back}>
          Back
        </ButtonLink>
        <h1>About {firstName}</h1>
        <p>{studio.name} asks this before the picture day.</p>
      </header>
      <SubjectDetailsForm
        first={{ firstName, lastName, answers: answersFromFields([...fields, ...told]) }}
        named={isTyped}
        draftKey={`person:${jobId}:${route.subjectId}`}
        submitWords="Save"
        onSubmit={save}
      />
    </div>
  )
}
