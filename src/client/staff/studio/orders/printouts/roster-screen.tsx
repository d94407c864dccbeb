import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, ordersUrl, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getRoster, type RosterSubject } from '#contract/studio/roster.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { PrintToolbar } from './print-toolbar.tsx'
import styles from './printouts.module.css'
import { usePrintOptions } from './use-print-options.ts'

const noGroupLabel = 'In no group'

/** Subjects by group, sorted by the names of the groups. Subjects without a group come last. */
const groupSubjects = (subjects: readonly RosterSubject[]): [string, RosterSubject[]][] => {
  const subjectsByGroup = new Map<string, RosterSubject[]>()
  for (const subject of subjects) {
    for (const group of subject.groups.length > 0 ? subject.groups : [noGroupLabel]) {
      subjectsByGroup.set(group, [...(subjectsByGroup.get(group) ?? []), subject])
    }
  }
  return [...subjectsByGroup].toSorted(([left], [right]) => {
    if (left === noGroupLabel || right === noGroupLabel) return left === noGroupLabel ? 1 : -1
    return left.localeCompare(right, 'en-US', { numeric: true })
  })
}

const GroupTable = ({ name, subjects }: { name: string; subjects: readonly RosterSubject[] }) => {
  const orderedCount = subjects.filter(({ hasOrdered }) => hasOrdered).length
  return (
    <section className={styles.group} aria-label={name}>
      <table className={styles.roster}>
        <caption>
          <strong>{name}</strong> · {subjects.length} {subjects.length === 1 ? 'person' : 'people'}, {orderedCount}{' '}
          ordered
        </caption>
        <thead>
          <tr>
            <th scope="col">Here</th>
            <th scope="col">Name</th>
            <th scope="col">Reference</th>
            <th scope="col">Code</th>
            <th scope="col">Ordered</th>
          </tr>
        </thead>
        <tbody>
          {subjects.map(({ id, firstName, lastName, reference, code, hasOrdered }) => (
            <tr key={id}>
              <td>
                <span className={styles.checkBox} />
              </td>
              <th scope="row">{[lastName, firstName].filter(Boolean).join(', ') || 'No name'}</th>
              <td>{reference}</td>
              <td className={styles.code}>{code}</td>
              <td>{hasOrdered ? 'Yes' : 'No'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A printable roster of a job by group, with a check box for each subject and whether they have ordered. */
export const RosterScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const printOptions = usePrintOptions()
  const { name } = useJob()
  const studio = useStudio()
  const query = printOptions.groupId === '' ? {} : { groupId: Number(printOptions.groupId) }
  const result = useStaffQuery(getRoster, { params: { studioId, jobId }, query })
  return (
    <StaffScreen title="Roster" trail={[{ label: 'Orders', href: ordersUrl(job, 'prepay') }]}>
      <PrintToolbar job={job} printOptions={printOptions} />
      <QueryBoundary query={result}>
        {({ people: subjects }) =>
          subjects.length === 0 ? (
            <EmptyState
              title="No one here yet"
              action={<ButtonLink href={staffUrls.job(job, 'subjects')}>Subjects</ButtonLink>}
            >
              <p>The people of this job appear here by group once they are on the list.</p>
            </EmptyState>
          ) : (
            <div className={styles.rosters} data-paper={printOptions.paper}>
              <p className={styles.pageHeader}>
                {studio.name} · {name}
              </p>
              {groupSubjects(subjects).map(([group, members]) => (
                <GroupTable key={group} name={group} subjects={members} />
              ))}
            </div>
          )
        }
      </QueryBoundary>
    </StaffScreen>
  )
}
