import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useJob, useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { type JobParams, staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { getRoster, type RosterSubject } from '#contract/studio/roster.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ordersUrl } from '../order-urls.ts'
import { PrintToolbar } from './print-toolbar.tsx'
import styles from './printouts.module.css'
import { usePrintOptions } from './use-print-options.ts'

const noGroupLabel = 'In no group'

/** Subjects by group, in the order of the groups. Subjects without a group come last. */
const byGroup = (people: readonly RosterSubject[]): [string, RosterSubject[]][] => {
  const subjectsByGroup = new Map<string, RosterSubject[]>()
  for (const subject of people) {
    for (const group of subject.groups.length > 0 ? subject.groups : [noGroupLabel]) {
      subjectsByGroup.set(group, [...(subjectsByGroup.get(group) ?? []), subject])
    }
  }
  return [...subjectsByGroup].toSorted(([one], [other]) => {
    if (one === noGroupLabel || other === noGroupLabel) return one === noGroupLabel ? 1 : -1
    return one.localeCompare(other, 'en-US', { numeric: true })
  })
}

const Group = ({ name, people }: { name: string; people: readonly RosterSubject[] }) => {
  const ordered = people.filter(({ hasOrdered }) => hasOrdered).length
  return (
    <section className={styles.group} aria-label={name}>
      <table className={styles.roster}>
        <caption>
          <strong>{name}</strong> · {people.length} {people.length === 1 ? 'person' : 'people'}, {ordered} ordered
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
          {people.map(({ id, firstName, lastName, reference, code, hasOrdered }) => (
            <tr key={id}>
              <td>
                <span className={styles.tick} />
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

/** A printable roster of a job by group, with check boxes and marks for missing orders. */
export const RosterScreen = (job: JobParams) => {
  const { studioId, jobId } = job
  const state = usePrintOptions()
  const { name } = useJob()
  const studio = useStudio()
  const query = state.groupId === '' ? {} : { groupId: Number(state.groupId) }
  const result = useStaffQuery(getRoster, { params: { studioId, jobId }, query })
  return (
    <StaffScreen title="Roster" trail={[{ label: 'Orders', href: ordersUrl(job, 'prepay') }]}>
      <PrintToolbar job={job} state={state} />
      <QueryBoundary query={result}>
        {({ people }) =>
          people.length === 0 ? (
            <EmptyState
              title="Nobody is here yet"
              action={<ButtonLink href={staffUrls.job(job, 'subjects')}>Subjects</ButtonLink>}
            >
              <p>The people of this job appear here by group, once they are on its list.</p>
            </EmptyState>
          ) : (
            <div className={styles.rosters} data-paper={state.paper}>
              <p className={styles.running}>
                {studio.name} · {name}
              </p>
              {byGroup(people).map(([group, members]) => (
                <Group key={group} name={group} people={members} />
              ))}
            </div>
          )
        }
      </QueryBoundary>
    </StaffScreen>
  )
}
