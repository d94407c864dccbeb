import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Redirect, useLocation } from 'wouter'
import type { CustomField } from '../../../domain/custom-fields.ts'
import { tellOf } from '../../../local/answers.ts'
import { changePerson } from '../../../local/type-in.ts'
import { local, stamp } from '../../device/local.ts'
import { type SubjectRoute, urls } from '../../shell/urls.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Loader } from '../../ui/loader.tsx'
import { toastError } from '../../ui/toast.ts'
import { UnknownPerson } from '../amiss.ts'
import { useEvent } from '../event.tsx'
import { useCart } from '../use-cart.ts'
import shared from '../whom.module.css'
import styles from './people.module.css'
import { PersonForm } from './person-form.tsx'
import { answersIn, dataFieldsOf, type Typing } from './typing.ts'
import { useWhom, type Whom } from './use-whom.ts'

/** Who somebody is, before their first package or again from the cart: what was typed in here, and what the studio asks of everybody. */
export const DetailsScreen = (route: SubjectRoute) => {
  const { jobId, orderMethod } = useEvent()
  const whom = useWhom(route)
  const cart = useCart(jobId, orderMethod)?.cart
  if (whom === 'unknown') return <UnknownPerson {...route} />
  // That screen says what is the matter, and a gallery asks nothing of anybody.
  if (whom === 'trouble' || orderMethod === 'gallery') return <Redirect to={urls.selectPackage(route)} replace />
  if (!whom || !cart) return <Loader />
  const { subjectId, personId } = whom
  const line = cart.cartPackages.find((one) => (personId ? one.personId === personId : one.subjectId === subjectId))
  const ways = line
    ? { next: urls.cart(route), back: urls.cart(route) }
    : { next: urls.selectPackage(route), back: urls.subjectSearch(route) }
  return <Details route={route} whom={line ? { ...whom, told: line.dataFields } : whom} {...ways} />
}

type DetailsProps = { route: SubjectRoute; whom: Whom; next: string; back: string }

const Details = ({ route, whom, next, back }: DetailsProps) => {
  const { jobId, orderMethod, studio } = useEvent()
  const [, navigate] = useLocation()
  const { firstName, lastName, fields, subjectId, told } = whom
  const isTyped = subjectId === null
  const key = { jobId, orderMethod }
  const save = async (typing: Typing, asked: CustomField[] | undefined) => {
    const dataFields = dataFieldsOf(typing, asked, told)
    const typed = { firstName: typing.firstName, lastName: typing.lastName, dataFields }
    const answer = isTyped
      ? await changePerson(local, stamp, { ...key, number: route.subjectId, typed })
      : await tellOf(local, stamp, { ...key, subjectId, dataFields })
    if (answer.ok) navigate(next)
    else toastError([answer.sentence])
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
      <PersonForm
        first={{ firstName, lastName, answers: answersIn([...fields, ...told]) }}
        named={isTyped}
        draftKey={`person:${jobId}:${route.subjectId}`}
        submitWords="Save"
        onSubmit={save}
      />
    </div>
  )
}
