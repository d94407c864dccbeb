import Pencil from 'lucide-react/icons/pencil'
import { Link } from 'wouter'
import { maskFieldAnswer } from '#domain/catalogue/mask.ts'
import type { TypedSubjectRow } from '#local/store/rows.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { classNames } from '#ui/class-names.ts'
import shared from '../shared/subject/subject-picker.module.css'
import styles from './subject-entry.module.css'

type TypedSubjectListProps = { route: CustomerRoute; subjects: readonly TypedSubjectRow[] }

// The answers distinguish siblings with the same name.
const answersOf = ({ dataFields }: TypedSubjectRow): string =>
  dataFields
    .map(({ name, value }) => maskFieldAnswer(name, value))
    .filter((value) => value !== '')
    .slice(0, 2)
    .join(', ')

/** Subjects typed in on this phone, to continue with one or to edit it. */
export const TypedSubjectList = ({ route: customerRoute, subjects }: TypedSubjectListProps) => (
  <section aria-labelledby="typed-people" className={shared.part}>
    <h2 id="typed-people" className={shared.smallHeading}>
      Added on this phone
    </h2>
    <ul className={shared.subjects}>
      {subjects.map((subject) => {
        const { n, firstName, lastName } = subject
        const route = { ...customerRoute, subjectId: -n }
        const answers = answersOf(subject)
        return (
          <li key={n}>
            <Link href={urls.selectPackage(route)} className={shared.subject}>
              <span className={shared.name}>
                {firstName} {lastName}
              </span>
              {answers && <span className={classNames(shared.more, styles.answers)}>{answers}</span>}
            </Link>
            <ButtonLink
              href={urls.personDetails(route)}
              variant="quiet"
              size="sm"
              icon={Pencil}
              aria-label={`Edit ${firstName} ${lastName}`}
            >
              Edit
            </ButtonLink>
          </li>
        )
      })}
    </ul>
  </section>
)
